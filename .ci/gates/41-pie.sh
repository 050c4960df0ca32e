# PIE builds the extension from what `git archive` gives, with the options that composer.json declares. Where there is no PIE,
# its steps are taken one by one.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

need php phpize cc make hiredis nm
mkdir "$scratch/source"
git -C "$root" archive HEAD | tar -C "$scratch/source" -x
cd "$scratch/source"
[ -d tests/inc ] && [ -e composer.json ] && [ ! -e .ci ] && [ ! -e .gitignore ] || complain 'the archive does not hold what it must'

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
if PKG_CONFIG_LIBDIR=/nonexistent ./configure --with-php-config="$(command -v "$php_config")" >"$scratch/missing" 2>&1; then
    complain 'configure passes without hiredis'
fi
for command in 'apt install libhiredis-dev' 'dnf install hiredis-devel' 'apk add hiredis-dev' 'brew install hiredis'; do
    grep -q "$command" "$scratch/missing" || complain "configure does not say: $command"
done
if ./configure --with-php-config="$(command -v "$php_config")" --with-hiredis=/nonexistent >"$scratch/missing" 2>&1; then
    complain 'configure passes with a wrong --with-hiredis'
fi

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

finish
