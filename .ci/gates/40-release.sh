# A release: what it holds, how it is made and built, and what it has to understand of the ones before.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
short=(package build_by_pie upgrade)
long=(upgrade)

# The packages hold what they must, of one version.
package() {
    need php phpize pecl composer git
    cd "$root"
    version=$(sed -n 's/^#define PHP_REDISLOCK_VERSION "\(.*\)"$/\1/p' php_redislock.h) whole=$scratch/whole
    export COMPOSER_ALLOW_SUPERUSER=1
    [ -n "$version" ] || complain 'no version in php_redislock.h'
    is_of . "$version"
    lists_of_sources
    package_of_pecl
    packages_of_composer
    published
    package_in_project
    releases
}

# is_of FOLDER VERSION: whether all that has a version there has this one.
is_of() {
    local file number=${2//./\\.}
    grep -q "^#define PHP_REDISLOCK_VERSION \"$number\"$" "$1/php_redislock.h" || complain "php_redislock.h is not of version $2"
    [ "$(grep -cE "<(release|api)>$number</" "$1/package.xml")" = 2 ] || complain "package.xml is not of version $2"
    grep -q "^\.TH .* \"redislock $number\"" "$1/share/man/man1/redislock.1" || complain "the manual page is not of version $2"
    grep -q -e "^## \[$number\] - " -e "^To be $number\b" "$1/CHANGELOG.md" || complain "CHANGELOG.md says nothing of version $2"
    for file in "$1"/{,bridges/laravel/,bridges/symfony/,stubs/}composer.json; do
        grep -q "\"dev-main\": \"${2%.*}\.x-dev\"" "$file" || complain "$file is not of version $2"
    done
}

# bin/sources knows every source; what configures a build has a list of its own, for want of a common language.
lists_of_sources() {
    same 'bin/sources' "$(tracked ':(glob)*.[ch]' 'src/*.[ch]')"
    same config.m4 "$(grep -oE '[a-z_/]+\.c\b' config.m4)" core glue
    same config.w32 "$(
        sed -n 's/^ *EXTENSION("redislock", "\([^"]*\)".*/\1/p' config.w32 | tr ' ' '\n'
        sed -n 's/^ *"\(src[a-z/]*\)": "\([^"]*\)".*/\1 \2/p' config.w32 | while read -r folder files; do
            sed "s!^!$folder/!" < <(tr ' ' '\n' <<<"$files")
        done
    )" core glue windows '!src/platform/posix/'
}

# same WHAT LIST [PART…] [!FOLDER]: whether it lists these sources, without those of the folder.
same() {
    local parts=("${@:3}") without=/
    [[ ${*: -1} != !* ]] || { without=${parts[-1]#!} && unset 'parts[-1]'; }
    diff -u <(sort <<<"$2") <(bin/sources "${parts[@]}" | grep -v "^$without" | sort) >&2 || complain "$1 does not list the sources"
}

# PECL: every source and test is listed, and the list can be packed.
package_of_pecl() {
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
}

# Composer takes each package as it is published: the extension from the root, the others from what bin/split-packages pushes.
packages_of_composer() {
    mkdir "$scratch/packages"
    for name in laravel symfony-lock stubs; do
        git init -q --bare "$scratch/packages/$name.git"
    done
    # In a repository of one commit, since this one may be a clone that lacks the old ones.
    git checkout-index --all --prefix="$whole/"
    git init -q "$whole"
    git -C "$whole" add --all --force
    git -C "$whole" config user.name CI
    git -C "$whole" config user.email ci@pages.invalid
    git -C "$whole" commit -q -m 'all of it'
    git -C "$whole" branch -q -M main
    run_quietly 'bin/split-packages' "$whole/bin/split-packages" https://pages.invalid "$scratch/packages" || complain 'bin/split-packages'
    for name in laravel symfony-lock stubs; do
        mkdir "$scratch/$name"
        git -C "$scratch/packages/$name.git" archive main | tar -C "$scratch/$name" -x
        publishes "$name" "$scratch/$name"
        for file in LICENSE README.md; do
            [ -e "$scratch/$name/$file" ] || complain "the package $name has no $file"
        done
        [ ! -e "$scratch/$name/tests" ] && [ ! -e "$scratch/$name/.gitattributes" ] || complain "the package $name has files for its developers"
        prints_nothing "links in README.md of $name lead out of the package" grep -n '](\.\./' "$scratch/$name/README.md"
    done

    # But for `php-ext`, where PIE reads how to build: Debian 12's Composer refuses a file that has it; Debian 13's is asked there.
    mkdir "$scratch/extension"
    "$php" -n -r '$all = json_decode(file_get_contents("composer.json")); unset($all->{"php-ext"}); echo json_encode($all);' \
        >"$scratch/extension/composer.json"
    publishes redislock "$scratch/extension"
}

# publishes NAME FOLDER: whether Composer would publish it, under this name.
publishes() {
    local said
    said=$(composer --no-interaction --working-dir="$2" validate --strict --no-check-lock 2>&1) || complain "composer validate for $1: $said"
    "$php" -n -r 'exit(json_decode(file_get_contents($argv[1]))->name === $argv[2] ? 0 : 1);' "$2/composer.json" "redislock/$1" ||
        complain "composer.json of $1 names another package"
}

# The day on which there is an address: it comes to all places, and valid, and goes without a trace.
published() {
    sed -i.old -e 's|^repository=.*|repository=https://git.example.org/lock|' -e 's|^email=.*|email=lock@example.org|' "$whole/REPOSITORY"
    ! "$whole/bin/update-repository" --check 2>"$scratch/said" || complain 'bin/update-repository --check does not see that REPOSITORY changed'
    "$whole/bin/update-repository" && "$whole/bin/update-repository" --check
    composer --no-interaction --working-dir="$whole/stubs" validate --strict --no-check-lock >"$scratch/said" 2>&1 || complain "with an address: $(cat "$scratch/said")"
    pecl package-validate "$whole/package.xml" 2>&1 | grep -q '^Validation: 0 error' || complain 'with an address, package.xml is not valid'
    for file in README.md README.zh-CN.md {,bridges/laravel/,bridges/symfony/,stubs/}composer.json; do
        grep -q 'https://git\.example\.org/lock\b' "$whole/$file" || complain "with an address, $file does not say it"
    done
    mv "$whole/REPOSITORY.old" "$whole/REPOSITORY"
    "$whole/bin/update-repository"
    git -C "$whole" diff --exit-code || complain 'bin/update-repository leaves an address behind'
}

# A user's project gets a package from its repository, by the version that the branch stands for.
package_in_project() {
    mkdir "$scratch/project"
    cat >"$scratch/project/composer.json" <<JSON
{
  "repositories": [{"type": "vcs", "url": "$scratch/packages/stubs.git"}, {"packagist.org": false}],
  "require-dev": {"redislock/stubs": "^${version%.*}@dev"}
}
JSON
    run_quietly 'composer with the stubs' composer --no-interaction --working-dir="$scratch/project" update && [ -e "$scratch/project/vendor/redislock/stubs/RedisLock.php" ] ||
        complain "the stubs cannot be had as ^${version%.*}@dev"
}

# A release is made as RELEASING.md says: first what may not be one, then one that is looked at, and that one is taken.
releases() {
    sed -i -e '/^To be /,+1d' -e 's/^## \[Unreleased\]$/&\n\nTo be 9.8.7, a check.\n\n- Something./' "$whole/CHANGELOG.md"
    refuses 9.8.7 'not committed'
    git -C "$whole" commit -q -a -m 'something'
    refuses 9.8 'no version'
    refuses 0.0.9 "less than $version"
    refuses 9.9.0 'to be 9.8.7'
    git -C "$whole" switch -q -c other
    refuses 9.8.7 'this is other'
    git -C "$whole" switch -q main
    was=$(git -C "$whole" rev-parse HEAD)
    sed -i 's/"dev-main"/"dev-others"/' "$whole/stubs/composer.json"
    git -C "$whole" commit -q -a -m 'something wrong'
    refuses 9.8.7 '9.8.7 was not made, and nothing has changed here'
    rm -rf "$scratch/release"
    git -C "$whole" reset -q --hard "$was"
    release --dry-run 9.8.7 || complain "bin/release: $(cat "$scratch/said")"
    [ "$(git -C "$whole" rev-parse HEAD)" = "$was" ] && [ -z "$(git -C "$whole" status --porcelain)" ] && [ -z "$(git -C "$whole" tag)" ] ||
        complain 'bin/release --dry-run changes the repository'
    is_of "$scratch/release/repository" 9.8.7
    release 9.8.7 || complain "bin/release: $(cat "$scratch/said")"
    [ "$(git -C "$whole" symbolic-ref --short HEAD)" = main ] && [ -z "$(git -C "$whole" status --porcelain)" ] || complain 'bin/release leaves a mess'
    is_of "$whole" 9.8.7
    mkdir "$scratch/tagged"
    git -C "$whole" archive 9.8.7 | tar -C "$scratch/tagged" -x
    is_of "$scratch/tagged" 9.8.7
    prints_nothing "still of $version" \
        git -C "$whole" grep -nE "redislock[-_ ]${version//./\\.}" -- '*.md' ':!CHANGELOG.md' ':!bench'
    said=$(sed -n '/^## \[Unreleased\]$/,/^- /p' "$whole/CHANGELOG.md" | grep . | paste -sd ' ')
    [ "$said" = "## [Unreleased] ## [9.8.7] - $(date -u +%F) A check. - Something." ] || complain "the changelog begins with $said"
    said=$(git -C "$whole" show 9.8.7:tests/upgrade/releases | grep -m 1 '^[0-9a-f]')
    [ "$(grep '^[0-9a-f]' "$whole/tests/upgrade/releases")" = "$(git -C "$whole" rev-parse '9.8.7^{commit}') 9.8.7"$'\n'"$said" ] ||
        complain "tests/upgrade/releases was not moved on: $(cat "$whole/tests/upgrade/releases")"
    tar -xOzf "$scratch/release/redislock-9.8.7.tgz" redislock-9.8.7/php_redislock.h | cmp - "$whole/php_redislock.h" || complain 'the package is not that of the release'
    (cd "$scratch/release" && sha256sum --check --quiet SHA256SUMS) || complain 'the sums are wrong'
    refuses 9.8.7 'there is a tag 9.8.7'
    refuses 9.8.6 'not greater than 9.8.7'
}

release() {
    CFLAGS=-O0 "$whole/bin/release" --into="$scratch/release" "$@" >"$scratch/said" 2>&1
}

refuses() {
    ! release --dry-run "$1" && grep -qF "$2" "$scratch/said" || complain "bin/release $1 does not say: $2, but: $(cat "$scratch/said")"
}

# PIE builds the extension from what `git archive` gives, with the options that composer.json declares. Where there is no PIE,
# its steps are taken one by one.
build_by_pie() {
    need php phpize cc make hiredis nm
    mkdir "$scratch/source"
    git -C "$root" archive HEAD | tar -C "$scratch/source" -x
    cd "$scratch/source"
    [ -d tests/php/inc ] && [ -e composer.json ] && [ ! -e .ci ] && [ ! -e .gitignore ] || complain 'the archive does not hold what it must'

    # As PIE does it: phpize, configure with no option but PHP, make.
    run_quietly phpize "$phpize" || complain phpize
    run_quietly configure ./configure --with-php-config="$(command -v "$php_config")" || complain configure
    run_quietly make make -j"$(cores)" || complain make
    "$php" -n -d "extension=$PWD/modules/redislock.so" --ri redislock || complain 'does not load'
    ./configure --help >"$scratch/help"
    while IFS= read -r option; do
        grep -q -- "--$option\b" "$scratch/help" || complain "configure has no --$option"
    done < <("$php" -n -r 'foreach (json_decode(file_get_contents("composer.json"))->{"php-ext"}->{"configure-options"} as $o) echo $o->name, "\n";')

    # With hiredis inside, as in the binaries of a release: its library is not needed, and nothing of it is anybody else's.
    run_quietly 'configure with hiredis inside' ./configure --with-php-config="$(command -v "$php_config")" --with-hiredis-static || complain 'configure with hiredis inside'
    rm -f redislock.la modules/*
    run_quietly 'make with hiredis inside' make || complain 'make with hiredis inside'
    exported=$(nm -D --defined-only modules/redislock.so | awk '{ print $3 }')
    [ "$exported" = get_module ] || complain "with hiredis inside, exported: $exported"
    ! readelf -d modules/redislock.so | grep 'NEEDED.*hiredis' || complain 'with hiredis inside, its library is still needed'
    "$php" -n -d "extension=$PWD/modules/redislock.so" --ri redislock >/dev/null || complain 'with hiredis inside, it does not load'

    # The option leads to a hiredis where pkg-config knows none, and a wrong one is told.
    ! PKG_CONFIG_LIBDIR=/nonexistent ./configure --with-php-config="$(command -v "$php_config")" >"$scratch/missing" 2>&1 ||
        complain 'configure passes without hiredis'
    for command in 'apt install libhiredis-dev' 'dnf install hiredis-devel' 'apk add hiredis-dev' 'brew install hiredis'; do
        grep -q "$command" "$scratch/missing" || complain "configure does not say: $command"
    done
    ! ./configure --with-php-config="$(command -v "$php_config")" --with-hiredis=/nonexistent >"$scratch/missing" 2>&1 ||
        complain 'configure passes with a wrong --with-hiredis'

    # PIE itself, in a folder of its own: `pie build` is `pie install` but for the last step, which would change this system's PHP.
    pie=${PIE:-pie}
    if have "$pie"; then
        rm -rf "$scratch/source" && mkdir "$scratch/source" "$scratch/pie"
        git -C "$root" archive HEAD | tar -C "$scratch/source" -x
        export PIE_WORKING_DIRECTORY=$scratch/pie
        cd "$scratch"
        run_quietly 'pie repository:add' "$pie" repository:add path "$scratch/source" || complain 'pie repository:add'
        for option in '' --without-redislock-tls; do
            "$pie" build --no-interaction 'redislock/redislock:*@dev' ${option:+"$option"} >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log"; complain "pie build $option"; }
            built=$(sed -n 's/^Build complete: //p' "$scratch/log")
            [ -e "$built" ] && "$php" -n -d "extension=$built" --ri redislock >"$scratch/loaded" || complain "pie build $option: does not load"
            grep -q "^TLS.*=> $([ -n "$option" ] && echo no || echo yes)" "$scratch/loaded" || complain "pie build $option does not do what it says"
        done
    else
        say "There is no PIE in the path, and none in \$PIE: only its steps were taken."
    fi
}

# This checkout and the last two releases side by side on one Redis, and one after the other under PHP-FPM. In the long form all cases,
# and on a cluster too.
upgrade() {
    if [ "$form" = short ]; then
        part_of "$root/tests/upgrade/run"
    else
        part_of "$root/tests/upgrade/run" --long
        part_of "$root/tests/upgrade/run" --cluster --long
    fi
}

steps "$@"
