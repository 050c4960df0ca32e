# The packages hold what they must, of one version.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

need php phpize pear composer
cd "$root"
version=$(version)
[ -n "$version" ] || complain 'no version in php_redislock.h'

# PECL: every source and test is listed, and the list can be packed.
if bin/update-package-xml --check; then
    validation=$(pecl package-validate package.xml 2>&1) || true
    # That it was released on another day than today is no fault.
    complaints=$(grep -v -e 'Release Date ".*" is not today$' -e '^Validation: 0 error(s), [01] warning(s)$' <<<"$validation") || true
    [ -z "$complaints" ] || complain "pecl package-validate: $validation"
    run_quietly 'pecl package' in_folder "$scratch" pecl package "$root/package.xml" || complain 'pecl package'
    [ -e "$scratch/redislock-$version.tgz" ] || complain "pecl package made no redislock-$version.tgz"
else
    complain 'package.xml does not list every file, or lists one that is gone'
fi

# One version everywhere.
grep -q "<release>$version</release>" package.xml || complain "package.xml is not of version $version"
grep -q -e "^## \[\{0,1\}${version//./\\.}\b" -e "^To be ${version//./\\.}\b" CHANGELOG.md || complain "CHANGELOG.md says nothing of version $version"

# bin/sources knows every source; what configures a build has a list of its own, for want of a common language.
same() {
    diff -u <(sort <<<"$2") <(bin/sources "${@:3}" | sort) >&2 || complain "$1 does not list the sources"
}
same 'bin/sources' "$(tracked ':(glob)*.[ch]' 'src/*.[ch]')"
same config.m4 "$(grep -oE '[a-z_/]+\.c\b' config.m4)" core glue
same config.w32 "$(
    sed -n 's/^ *EXTENSION("redislock", "\([^"]*\)".*/\1/p' config.w32 | tr ' ' '\n'
    sed -n 's/^ *"\(src[a-z/]*\)": "\([^"]*\)".*/\1 \2/p' config.w32 | while read -r folder files; do
        sed "s!^!$folder/!" < <(tr ' ' '\n' <<<"$files")
    done
)" core glue

finish
