--TEST--
The ACL user that the READMEs and docs/operations.md show has the rights of tests/inc/minimal_rights.acl
--FILE--
<?php
require __DIR__ . '/../inc/minimal_rights.inc';
require __DIR__ . '/blocks.inc';

$needed = array_diff(minimal_rights(), ['+select']);
sort($needed);
foreach ([...READMES, 'docs/operations.md'] as $readme) {
    preg_match('/^ACL SETUSER shop on >secret (.*)$/m', readme($readme), $found);
    $shown = explode(' ', $found[1] ?? '');
    sort($shown);
    echo "$readme: ", $shown === $needed ? 'the same' : json_encode([array_diff($needed, $shown), array_diff($shown, $needed)]), "\n";
}
?>
--EXPECT--
README.md: the same
README.zh-CN.md: the same
docs/operations.md: the same
