--TEST--
The ACL users that docs/operations.md and the Chinese README show have the rights of tests/inc/minimal_rights*.acl
--FILE--
<?php
require __DIR__ . '/../inc/minimal_rights.inc';
require __DIR__ . '/blocks.inc';

foreach (['shop', 'worker'] as $user) {
    $needed = array_diff(minimal_rights($user === 'worker'), ['+select']);
    sort($needed);
    foreach (['docs/operations.md', CHINESE] as $readme) {
        preg_match("/^ACL SETUSER $user on >secret (.*)$/m", readme($readme), $found);
        $shown = explode(' ', $found[1] ?? '');
        sort($shown);
        echo "$readme, $user: ", $shown === $needed ? 'the same' : json_encode([array_diff($needed, $shown), array_diff($shown, $needed)]), "\n";
    }
}
?>
--EXPECT--
docs/operations.md, shop: the same
README.zh-CN.md, shop: the same
docs/operations.md, worker: the same
README.zh-CN.md, worker: the same
