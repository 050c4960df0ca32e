# The packages hold what they must, of one version.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

need php phpize pear composer git
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

# Composer takes each package as it is published: the extension from the root, the others from what bin/split-packages pushes.
mkdir "$scratch/packages"
for name in laravel symfony-lock stubs; do
    git init -q --bare "$scratch/packages/$name.git"
done
# In a repository of one commit, since this one may be a clone that lacks the old ones.
git checkout-index --all --prefix="$scratch/whole/"
git init -q "$scratch/whole"
git -C "$scratch/whole" add --all --force
git -C "$scratch/whole" -c user.name=CI -c user.email=ci@pages.invalid commit -q -m 'all of it'
run_quietly 'bin/split-packages' "$scratch/whole/bin/split-packages" https://pages.invalid "$scratch/packages" || complain 'bin/split-packages'
export COMPOSER_ALLOW_SUPERUSER=1

# publishes NAME FOLDER: whether Composer would publish it, and whether it says of which version it is.
publishes() {
    local said
    said=$(composer --no-interaction --working-dir="$2" validate --strict --no-check-lock 2>&1) || complain "composer validate for $1: $said"
    "$php" -n -r '
        $package = json_decode(file_get_contents($argv[1]));
        exit($package->name === $argv[2] && $package->extra->{"branch-alias"}->{"dev-main"} === $argv[3] ? 0 : 1);
    ' "$2/composer.json" "redislock/$1" "${version%.*}.x-dev" || complain "composer.json of $1 names another package or version"
}
for name in laravel symfony-lock stubs; do
    mkdir "$scratch/$name"
    git -C "$scratch/packages/$name.git" archive main | tar -C "$scratch/$name" -x
    publishes "$name" "$scratch/$name"
    for file in LICENSE README.md; do
        [ -e "$scratch/$name/$file" ] || complain "the package $name has no $file"
    done
    [ ! -e "$scratch/$name/tests" ] && [ ! -e "$scratch/$name/.gitattributes" ] || complain "the package $name has files for its developers"
    ! grep -n '](\.\./' "$scratch/$name/README.md" || complain "links in README.md of $name lead out of the package"
done

# Composers that know no `php-ext` yet, where PIE reads how to build, refuse a file that has it. They say whether all else is right.
mkdir "$scratch/extension"
cp composer.json "$scratch/extension/"
said=$(composer --no-interaction --working-dir="$scratch/extension" validate --strict 2>&1) || true
if grep -q 'The property php-ext is not defined' <<<"$said"; then
    "$php" -n -r '$package = json_decode(file_get_contents($argv[1])); unset($package->{"php-ext"}); file_put_contents($argv[1], json_encode($package));' \
        "$scratch/extension/composer.json"
fi
publishes redislock "$scratch/extension"

# The day on which there is an address: it comes to all places, and valid, and goes without a trace.
published() {
    sed -i.old -e 's|^repository=.*|repository=https://git.example.org/lock|' -e 's|^email=.*|email=lock@example.org|' "$scratch/whole/REPOSITORY"
    ! "$scratch/whole/bin/update-repository" --check 2>"$scratch/said" || complain 'bin/update-repository --check does not see that REPOSITORY changed'
    "$scratch/whole/bin/update-repository" && "$scratch/whole/bin/update-repository" --check
    composer --no-interaction --working-dir="$scratch/whole/stubs" validate --strict --no-check-lock >"$scratch/said" 2>&1 || complain "with an address: $(cat "$scratch/said")"
    pecl package-validate "$scratch/whole/package.xml" 2>&1 | grep -q '^Validation: 0 error' || complain 'with an address, package.xml is not valid'
    for file in README.md README.zh-CN.md {,bridges/laravel/,bridges/symfony/,stubs/}composer.json; do
        grep -q 'https://git\.example\.org/lock\b' "$scratch/whole/$file" || complain "with an address, $file does not say it"
    done
    mv "$scratch/whole/REPOSITORY.old" "$scratch/whole/REPOSITORY"
    "$scratch/whole/bin/update-repository"
    git -C "$scratch/whole" diff --exit-code || complain 'bin/update-repository leaves an address behind'
}
published

# A user's project gets a package from its repository, by the version that the branch stands for.
mkdir "$scratch/project"
cat >"$scratch/project/composer.json" <<JSON
{
  "repositories": [{"type": "vcs", "url": "$scratch/packages/stubs.git"}, {"packagist.org": false}],
  "require-dev": {"redislock/stubs": "^${version%.*}@dev"}
}
JSON
run_quietly 'composer with the stubs' composer --no-interaction --working-dir="$scratch/project" update && [ -e "$scratch/project/vendor/redislock/stubs/RedisLock.php" ] ||
    complain "the stubs cannot be had as ^${version%.*}@dev"

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
