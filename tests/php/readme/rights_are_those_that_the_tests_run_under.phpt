--TEST--
The ACL users that docs/operations.md shows have the rights of tests/php/inc/minimal_rights*.acl
--FILE--
<?php
require __DIR__ . '/../inc/minimal_rights.inc';
require __DIR__ . '/blocks.inc';

foreach (['shop', 'worker'] as $user) {
    $needed = array_diff(minimal_rights($user === 'worker'), ['+select']);
    sort($needed);
    preg_match("/^ACL SETUSER $user on >secret (.*)$/m", readme('docs/operations.md'), $found);
    $shown = explode(' ', $found[1] ?? '');
    sort($shown);
    echo "$user: ", $shown === $needed ? 'the same' : json_encode([array_diff($needed, $shown), array_diff($shown, $needed)]), "\n";
}
?>
--EXPECT--
shop: the same
worker: the same
