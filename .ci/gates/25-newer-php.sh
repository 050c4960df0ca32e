# What of the extension sees PHP compiles without a warning for the versions that are yet to come to Debian, without threads and
# with them. The tests run on them in .ci/nightly.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../newer-php.sh
. "$(dirname "$0")/../newer-php.sh"

have apt-get && have dpkg-deb || not_here 'these packages are for Debian'
need gcc clang hiredis openssl
cd "$root"
mapfile -t glue < <(bin/sources glue)

# compile WHAT COMPILER OPTION…: all files, side by side.
compile() {
    options_for_glue "$2"
    if each "${glue[@]}" -- "$2" -fsyntax-only "${glue_options[@]}" "${@:3}"; then
        passed=$((passed + 1))
    else
        complain "$1, $2"
        failed=$((failed + 1))
    fi
}

for php_version in "${newer_phps[@]}"; do
    if ! headers_of "$php_version"; then
        say "skipped: PHP $php_version: $why_not"
        skipped=$((skipped + 1))
        continue
    fi
    echo "with $php_version: $package_version"
    system=()
    for folder in '' /main /TSRM /Zend /ext; do
        system+=(-isystem "$headers$folder")
    done
    for compiler in $(compilers); do
        compile "PHP $package_version" "$compiler" "${system[@]}"
        compile "PHP $package_version with threads" "$compiler" "${system[@]}" -DZTS=1
    done
done

finish_counted
