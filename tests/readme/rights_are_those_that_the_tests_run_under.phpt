--TEST--
The ACL users that the READMEs and docs/operations.md show have the rights of tests/inc/minimal_rights*.acl
--FILE--
<?php
require __DIR__ . '/../inc/minimal_rights.inc';
require __DIR__ . '/blocks.inc';

foreach (['shop', 'worker'] as $user) {
    $needed = array_diff(minimal_rights($user === 'worker'), ['+select']);
    sort($needed);
    foreach ($user === 'shop' ? [...READMES, 'docs/operations.md'] : READMES as $readme) {
        preg_match("/^ACL SETUSER $user on >secret (.*)$/m", readme($readme), $found);
        $shown = explode(' ', $found[1] ?? '');
        sort($shown);
        echo "$readme, $user: ", $shown === $needed ? 'the same' : json_encode([array_diff($needed, $shown), array_diff($shown, $needed)]), "\n";
    }
}
?>
--EXPECT--
README.md, shop: the same
README.zh-CN.md, shop: the same
docs/operations.md, shop: the same
README.md, worker: the same
README.zh-CN.md, worker: the same
