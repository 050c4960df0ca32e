// SPDX-License-Identifier: MIT
//
// Runs config.w32 with the functions of PHP's own configure.js (win32/build/confutils.js of a source of PHP), over a disk C: that is made
// up, and looks at what nmake would compile and link.
//
//     node tests/windows/config.js CONFUTILS
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const vm = require('vm');
const { execFileSync } = require('child_process');

const root = path.resolve(__dirname, '../..');
const confutils = fs.readFileSync(process.argv[2], 'utf8');
const config = fs.readFileSync(path.join(root, 'config.w32'), 'utf8');
const disk = fs.mkdtempSync(path.join(os.tmpdir(), 'redislock-config.'));
process.on('exit', () => fs.rmSync(disk, { recursive: true, force: true }));

// ---- the disk ----

// put FILE TEXT: where its name on C: says.
function put(file, text = '') {
    fs.mkdirSync(path.dirname(here(file)), { recursive: true });
    fs.writeFileSync(here(file), text);
}

// here FILE: its name on this system.
function here(file) {
    return path.join(disk, ...absolute(file).split('\\').slice(1));
}

let cwd;

// absolute FILE: its whole name on C:.
function absolute(file) {
    return path.win32.resolve(cwd, file).replace(/(.)\\$/, '$1');
}

const hiredis = ['alloc.c', 'async.c', 'hiredis.c', 'hiredis.h', 'net.c', 'read.c', 'sds.c', 'sockcompat.c'];
cwd = 'C:\\';
hiredis.forEach((file) => put(`sources\\hiredis\\${file}`));
hiredis.forEach((file) => put(`hiredis-1.2.0\\${file}`));
hiredis.filter((file) => !/alloc|sockcompat/.test(file)).forEach((file) => put(`old\\hiredis\\${file}`));
put('vcpkg\\include\\hiredis\\hiredis.h');
put('vcpkg\\lib\\hiredis.lib');
put('no-header\\lib\\hiredis.lib');
['libcrypto.lib', 'libssl.lib'].forEach((file) => put(`openssl\\lib\\${file}`));
put('openssl\\include\\openssl\\ssl.h');
put('sdk\\lib\\crypt32.lib');
put('both\\include\\hiredis\\hiredis.h');
put('both\\lib\\hiredis.lib');
['lib\\libcrypto.lib', 'lib\\libssl.lib', 'include\\openssl\\ssl.h'].forEach((file) => put(`both\\${file}`));
put('php\\main\\php_version.h');
put('php\\configure.ac', 'AC_INIT([PHP],[8.2.0])');
fs.mkdirSync(here('php\\ext'));
fs.symlinkSync(root, here('php\\ext\\redislock'));
fs.symlinkSync(root, here('redislock'));

// ---- what Windows' script host has ----

const names = (folder, what) => fs.readdirSync(here(folder), { withFileTypes: true })
    .filter((entry) => entry[what]()).map((entry) => `${absolute(folder)}\\${entry.name}`);

// What configure writes is kept in `written`; nothing of it reaches the disk.
const files = (written) => ({
    FileExists: (file) => fs.statSync(here(file), { throwIfNoEntry: false })?.isFile() ?? false,
    FolderExists: (file) => fs.statSync(here(file), { throwIfNoEntry: false })?.isDirectory() ?? false,
    GetAbsolutePathName: absolute,
    GetParentFolderName: (file) => path.win32.dirname(file),
    GetFileName: (file) => path.win32.basename(file),
    GetFolder: (folder) => ({ Files: names(folder, 'isFile'), SubFolders: names(folder, 'isDirectory') }),
    CreateFolder: () => {},
    DeleteFile: () => {},
    CopyFile: () => {},
    CreateTextFile: (file) => writer(written, file),
    OpenTextFile: (file, how = 1) => (how === 1 ? reader(fs.readFileSync(here(file), 'utf8')) : writer(written, file)),
});

function writer(written, file) {
    written[file] ??= '';
    return {
        Write: (text) => { written[file] += text; },
        WriteLine: (text) => { written[file] += `${text}\n`; },
        WriteBlankLines: (n) => { written[file] += '\n'.repeat(n); },
        Close: () => {},
    };
}

function reader(text) {
    const lines = text.split('\n');
    return {
        ReadAll: () => text,
        ReadLine: () => lines.shift(),
        Close: () => {},
        get AtEndOfStream() { return lines.length === 0; },
    };
}

class Items {
    constructor() { this.items = new Map(); }
    Exists(name) { return this.items.has(name); }
    Item(name) { return this.items.get(name); }
    Add(name, value) { this.items.set(name, value); }
    Remove(name) { this.items.delete(name); }
    Keys() { return this.items.keys(); }
}

class Enumerator {
    constructor(list) { this.list = [...list]; }
    atEnd() { return this.list.length === 0; }
    moveNext() { this.list.shift(); }
    item() { return this.list[0]; }
}

class Quit extends Error {}

// ---- configure ----

// configure {phpize, deps, arch} OPTION…: runs what phpize, or PHP's buildconf, makes of config.w32, where PHP's libraries are in the
// folder deps. Returns what it says, defines and writes.
function configure({ phpize = true, deps = 'C:\\openssl', arch = 'x64', compiler = 1929 }, ...options) {
    const written = {}, told = { text: '' };
    const tell = { Write: (text) => { told.text += text; }, WriteLine: (text) => { told.text += `${text}\n`; }, WriteBlankLines: () => {} };
    const args = Object.defineProperty((i) => options[i], 'length', { value: options.length });
    cwd = phpize ? 'C:\\redislock' : 'C:\\php';
    const objects = { 'Scripting.FileSystemObject': files(written), 'WScript.Shell': {
        CurrentDirectory: cwd,
        Exec: () => ({ StdOut: reader('') }),
        Environment: () => ({ Item: (name) => ({ LIB: 'C:\\sdk\\lib', INCLUDE: 'C:\\sdk\\include' }[name] ?? '') }),
    } };
    const world = vm.createContext({
        Enumerator, MODE_PHPIZE: phpize, PHP_DIR: 'C:\\devel', PHP_PREFIX: 'C:\\php', PHP_ANALYZER: 'disabled', PHP_PGO: 'no', PHP_PGI: 'no',
        PHP_DEBUG: 'no', PHP_DEBUG_PACK: 'no', PHP_ALL_SHARED: 'no', PHP_SNAPSHOT_BUILD: 'no', PHP_PHP_BUILD: deps, PHP_EXTRA_LIBS: '',
        PHP_EXTRA_INCLUDES: '', PHP_MP_DISABLED: true, TARGET_ARCH: arch, core_module_list: [], php_usual_lib_suspects: `${deps}\\lib`,
        php_usual_include_suspects: `${deps}\\include`,
        configure_module_dirname: phpize ? 'C:\\redislock' : 'ext\\redislock',
        GetObject: () => ({ ExecQuery: () => ({ ItemIndex: () => ({ Caption: 'Windows', Version: '10' }) }) }),
        WScript: {
            Arguments: args, ScriptFullName: 'C:\\php\\configure.js', StdOut: tell, StdErr: tell,
            CreateObject: (name) => objects[name] ?? new Items(),
            Quit: () => { throw new Quit(told.text); },
        },
    });
    vm.runInContext(confutils, world);
    // As phpize.js does it: the options first, wherever they stand.
    const option = /(ARG_(ENABLE|WITH)\([^;]+\);)/gm;
    vm.runInContext(`VCVERS = ${compiler}; ${config.match(option).join('\n')} conf_process_args();`, world);
    vm.runInContext(config.replace(option, '/* $1 */'), world);
    const define = (name) => vm.runInContext(`get_define(${JSON.stringify(name)})`, world);
    return {
        told: told.text,
        enabled: world.extensions_enabled.map((e) => `${e[0]} ${e[1]}`).join(),
        flags: define('CFLAGS_REDISLOCK'),
        libraries: define('LIBS_REDISLOCK').trim().split(/\s+/).filter((name) => name).sort(),
        linker: define('LDFLAGS_REDISLOCK'),
        objects: define('REDISLOCK_GLOBAL_OBJS').trim().split(/\s+/).filter((name) => name),
        compiled: (written['Makefile.objects'] ?? '').split('\n').filter((line) => /\/c /.test(line))
            .flatMap((line) => line.slice(line.indexOf('/c ') + 3).replace(/ \/Fo.*/, '').trim().split(' ')),
        dll: /php_redislock\.dll: /.test(written['Makefile.objects'] ?? ''),
    };
}

// ---- what is expected ----

let passed = 0, failed = 0;

function same(what, is, should) {
    const good = JSON.stringify(is) === JSON.stringify(should);
    good ? passed++ : failed++;
    if (!good) {
        console.log(`wrong: ${what}\n  is     ${JSON.stringify(is)}\n  should ${JSON.stringify(should)}`);
    }
}

const holds = (what, condition) => same(what, condition, true);

// The sources for Windows, as bin/sources lists them.
const sources = execFileSync(path.join(root, 'bin/sources'), ['core', 'windows', 'glue'], { encoding: 'utf8' }).trim().split('\n')
    .filter((file) => !file.startsWith('src/platform/posix/'));
const ours = (module) => sources.map((file) => `${module}\\${file.replace(/\//g, '\\')}`).sort();
const theirs = hiredis.filter((file) => file.endsWith('.c')).map((file) => `C:\\sources\\hiredis\\${file}`);
const always = ['bcrypt.lib', 'crypt32.lib', 'ws2_32.lib'];

// built NAME RESULT EXPECTED: what all builds have in common, and what is of this one.
function built(name, result, { shared = true, compiledIn = false, libraries, tls }) {
    const module = shared ? 'C:\\redislock' : 'ext\\redislock';
    same(`${name}: enabled`, result.enabled, `redislock ${shared ? 'shared' : 'static'}`);
    same(`${name}: sources`, [...result.compiled].sort(), [...ours(module), ...(compiledIn ? theirs : [])].sort());
    holds(`${name}: each source is there`, result.compiled.every((file) => fs.existsSync(here(file))));
    same(`${name}: each source has an object of its own`, new Set(result.objects).size, result.compiled.length);
    holds(`${name}: the objects lie in the folder of the build`, result.objects.every((file) => /^\$\(BUILD_DIR\)\\[^:]*$/.test(file)));
    same(`${name}: libraries`, result.libraries, [...libraries].sort());
    same(`${name}: TLS`, /HAVE_REDISLOCK_TLS=1/.test(result.flags), tls);
    same(`${name}: a DLL`, result.dll, shared);
    holds(`${name}: C11`, /\/std:c11/.test(result.flags));
    holds(`${name}: our headers`, result.flags.includes(`/I "${module}\\src"`));
    same(`${name}: hiredis' headers`, result.flags.includes(compiledIn ? '/I "C:\\sources"' : '\\include"'), true);
}

// refused NAME RESULT TEXT: that it builds nothing, and says why.
function refused(name, result, text) {
    same(`${name}: enabled`, result.enabled, '');
    same(`${name}: sources`, result.compiled, []);
    holds(`${name}: says ${text}, not ${result.told}`, result.told.includes(text));
}

const openssl = ['libcrypto.lib', 'libssl.lib'];
const library = { libraries: [...always, 'hiredis.lib', ...openssl], tls: true };

for (const arch of ['x64', 'x86']) {
    const name = `phpize, ${arch}`;
    built(`${name}, a library`, configure({ arch }, '--enable-redislock', '--with-hiredis=C:\\vcpkg'), library);
    built(`${name}, sources`, configure({ arch }, '--enable-redislock', '--with-hiredis=C:\\sources\\hiredis'),
        { compiledIn: true, libraries: [...always, ...openssl], tls: true });
}
built('a library among those of PHP', configure({ deps: 'C:\\both' }, '--enable-redislock'), library);
built('no OpenSSL', configure({ deps: 'C:\\none' }, '--enable-redislock', '--with-hiredis=C:\\vcpkg'),
    { libraries: [...always, 'hiredis.lib'], tls: false });
built('without TLS', configure({}, '--enable-redislock', '--with-hiredis=C:\\vcpkg', '--without-redislock-tls'),
    { libraries: [...always, 'hiredis.lib'], tls: false });
built('in PHP', configure({ phpize: false }, '--enable-redislock', '--with-hiredis=C:\\vcpkg'), { ...library, shared: false });
built('in PHP, sources', configure({ phpize: false }, '--enable-redislock', '--with-hiredis=C:\\sources\\hiredis'),
    { shared: false, compiledIn: true, libraries: [...always, ...openssl], tls: true });

refused('none', configure({}, '--enable-redislock'), 'no hiredis');
refused('no header', configure({}, '--enable-redislock', '--with-hiredis=C:\\no-header'), 'no hiredis');
refused('sources of another name', configure({}, '--enable-redislock', '--with-hiredis=C:\\hiredis-1.2.0'), 'has to have the name hiredis');
refused('old sources', configure({}, '--enable-redislock', '--with-hiredis=C:\\old\\hiredis'), 'hiredis 1.0 or newer is needed');
refused('an old compiler', configure({ compiler: 1916 }, '--enable-redislock', '--with-hiredis=C:\\vcpkg'), 'Visual Studio 2019');
refused('not asked for', configure({}), '');
holds('no TLS is said', configure({ deps: 'C:\\none' }, '--enable-redislock', '--with-hiredis=C:\\vcpkg').told.includes('redislock has no TLS'));

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
