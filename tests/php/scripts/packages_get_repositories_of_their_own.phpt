--TEST--
bin/split-packages: a folder's history becomes that of its package's repository; what is there is added to, never replaced
--DESCRIPTION--
Takes long.
--SKIPIF--
<?php
require __DIR__ . '/skipif.inc';
if (!find_program('git')) {
    die('skip needs git');
}
?>
--FILE--
<?php
require __DIR__ . '/scripts.inc';

$folder = new PrivateFolder();
$project = "$folder->path/project";
$packages = "$folder->path/packages";
const PAGES = 'https://pages.invalid/redislock/blob/main';

/** In the project, or in a package's repository. */
function git(string $where, string ...$words): string
{
    $git = ['git', '-c', 'user.name=One', '-c', 'user.email=one@example.org', '-C', $where, ...$words];
    $run = run_to_end($git, ['GIT_CONFIG_GLOBAL' => '/dev/null', 'GIT_AUTHOR_DATE' => '@1700000000 +0200', 'GIT_COMMITTER_DATE' => '@1700000001 +0000']);
    if ($run->status !== 0) {
        throw new RuntimeException(implode(' ', $git) . ": $run->err");
    }
    return trim($run->out);
}

/** @param array<string, string> $files */
function commit(string $message, array $files): void
{
    global $project;
    foreach ($files as $file => $text) {
        @mkdir(dirname("$project/$file"), recursive: true);
        file_put_contents("$project/$file", $text);
    }
    git($project, 'add', '.');
    git($project, 'commit', '--quiet', '--message', $message);
}

function split(string ...$options): Run
{
    global $project, $packages;
    return run_to_end(['bash', "$project/bin/split-packages", ...$options, PAGES, $packages], together: true);
}

foreach (['laravel', 'symfony-lock', 'stubs'] as $name) {
    exec('git init --quiet --bare ' . escapeshellarg("$packages/$name.git"));
}
mkdir("$project/bin", recursive: true);
foreach (['split-packages', 'lib.sh'] as $name) {
    copy(script($name), "$project/bin/$name");
}
exec('git init --quiet ' . escapeshellarg($project));
commit("first\n\nwhy it was\n", [
    'bridges/laravel/composer.json' => "{\n  \"name\": \"redislock/laravel\",\n}\n",
    'bridges/laravel/README.md' => "[api](../../docs/api.md#a) [other](../symfony/README.md) [own](src/a.php) [up](..\n",
    'bridges/laravel/src/a.php' => "<?php\n",
    'bridges/symfony/composer.json' => "{\n  \"name\": \"redislock/symfony-lock\",\n}\n",
    'stubs/composer.json' => "{\n  \"name\": \"redislock/stubs\",\n}\n",
    'stubs/README.md' => "[install](../docs/install.md)\n",
    'docs/api.md' => "an api\n",
]);
commit('elsewhere', ['docs/api.md' => "another api\n"]);

echo "-- nothing is pushed by --dry-run\n";
is_so('it ends well', split('--dry-run')->status === 0);
is_so('nothing is there', git("$packages/laravel.git", 'for-each-ref') === '');

echo "-- a branch\n";
is_so('it ends well', split()->status === 0);
echo git("$packages/laravel.git", 'ls-tree', '-r', '--name-only', 'main'), "\n";
echo git("$packages/laravel.git", 'log', '--format=%an <%ae> %ad, %cn %cd: %B', '--date=raw', 'main'), "\n";
echo git("$packages/laravel.git", 'show', 'main:README.md'), "\n";
echo git("$packages/stubs.git", 'show', 'main:README.md'), "\n";
echo git("$packages/symfony-lock.git", 'ls-tree', '-r', '--name-only', 'main'), "\n";

echo "-- again, with a release\n";
commit('second', ['bridges/laravel/src/a.php' => "<?php // more\n"]);
git($project, 'tag', '0.1.0');
commit('third', ['bridges/laravel/src/b.php' => "<?php\n", 'bridges/laravel/src/a.php' => "<?php // most\n"]);
is_so('it ends well', split('--tag=0.1.0')->status === 0);
echo git("$packages/laravel.git", 'log', '--decorate-refs=refs/tags', '--format=%s%d', 'main'), "\n";
is_so('packages that did not change have the release too', git("$packages/stubs.git", 'show', '--no-patch', '--format=%s', '0.1.0') === 'first');
is_so('without a change nothing is new', str_contains(split('--tag=0.1.0')->out, 'Everything up-to-date'));
is_so('another branch', split('--branch=0.1')->status === 0 && git("$packages/laravel.git", 'rev-parse', '0.1') === git("$packages/laravel.git", 'rev-parse', 'main'));

echo "-- what somebody else pushed stays\n";
$theirs = git("$packages/laravel.git", 'commit-tree', '-m', 'theirs', '-p', 'main', 'main^{tree}');
git("$packages/laravel.git", 'update-ref', 'refs/heads/main', $theirs);
commit('fourth', ['bridges/laravel/src/b.php' => "<?php // more\n"]);
is_so('it fails', split()->status !== 0);
is_so('theirs is there', git("$packages/laravel.git", 'rev-parse', 'main') === $theirs);

echo "-- what makes no sense\n";
exec('git clone --quiet --depth=1 ' . escapeshellarg("file://$project") . ' ' . escapeshellarg("$folder->path/shallow"));
echo run_to_end(['bash', "$folder->path/shallow/bin/split-packages", PAGES, $packages], together: true)->out;
echo split('--tag=0.2.0')->out;
echo run_to_end(['bash', script('split-packages'), PAGES], together: true)->out;
?>
--EXPECT--
-- nothing is pushed by --dry-run
it ends well: yes
nothing is there: yes
-- a branch
it ends well: yes
README.md
composer.json
src/a.php
One <one@example.org> 1700000000 +0200, One 1700000001 +0000: first

why it was
[api](https://pages.invalid/redislock/blob/main/docs/api.md#a) [other](https://pages.invalid/redislock/blob/main/bridges/symfony/README.md) [own](src/a.php) [up](..
[install](https://pages.invalid/redislock/blob/main/docs/install.md)
composer.json
-- again, with a release
it ends well: yes
third
second (tag: 0.1.0)
first
packages that did not change have the release too: yes
without a change nothing is new: yes
another branch: yes
-- what somebody else pushed stays
it fails: yes
theirs is there: yes
-- what makes no sense
error: this clone lacks old commits, which would come out as others: git fetch --unshallow
error: there is no tag 0.2.0
error: it needs the address of the pages and that of the repositories: see --help
