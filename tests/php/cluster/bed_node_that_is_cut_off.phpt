--TEST--
The tests' own cluster: a node that is cut off is replaced, and follows when the network is mended; a master can be emptied
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

/** What a node answers, without the address of a redirection. */
function said(RedisServer $node, string ...$command): string
{
    try {
        return $node->client()->cmd(...$command) ?? 'nothing';
    } catch (RespError $e) {
        return $e->word();
    }
}

$cluster = Cluster::start(nodeTimeout: SOON_FAILED, cuttable: true);
$old = $cluster->ownerOf('{x}');
$cluster->cut($old);
echo 'cut off: ', said($old, 'SET', '{x}', 'lost'), "\n"; // by its unix socket: it does not know yet
$new = $cluster->awaitPromotion($old);
echo 'the new one: ', said($new, 'SET', '{x}', 'kept'), ', the old one: ', said($old, 'GET', '{x}'), "\n";
$cluster->mend();
$cluster->awaitAgreed();
echo 'mended: ', said($old, 'GET', '{x}'), ', the new one: ', said($new, 'GET', '{x}'), "\n";
is_so('the new one owns it', $cluster->ownerOf('{x}') === $new);

$cluster->empty($new);
is_so('emptied', !in_array($new, $cluster->masters(), true) && count($cluster->masters()) === 2);
echo 'its key is elsewhere: ', said($cluster->ownerOf('{x}'), 'GET', '{x}'), "\n";
?>
--EXPECT--
cut off: OK
the new one: OK, the old one: CLUSTERDOWN
mended: MOVED, the new one: kept
the new one owns it: yes
emptied: yes
its key is elsewhere: kept
