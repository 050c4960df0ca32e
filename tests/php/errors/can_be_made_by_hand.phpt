--TEST--
Exceptions made by PHP code (in tests of an application) have what every exception has, and take their own properties by name
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$e = new RedisLockServerException('sold out', 7, new LogicException('why'));
var_dump($e->getMessage(), $e->getCode(), $e->getPrevious()->getMessage(), $e->lockName . $e->server . $e->redisError);
echo get_class(new RedisLockLostException()), "\n";

foreach (['RedisLock', 'RedisLockConnection', 'RedisLockServer', 'RedisLockTimeout', 'RedisLockHeld', 'RedisLockLost'] as $kind) {
    $class = "{$kind}Exception";
    $e = new $class(lockName: 'SKU0001', server: 'redis://a:1/0', redisError: 'OOM');
    echo get_class($e), ' ', json_encode([$e->getMessage(), $e->getCode(), $e->lockName, $e->server, $e->redisError]), "\n";
}
foreach (['RedisQueue', 'RedisQueueConnection', 'RedisQueueServer'] as $kind) {
    $class = "{$kind}Exception";
    $e = new $class('m', queueName: 'mails', server: 'redis://a:1/0');
    echo get_class($e), ' ', json_encode([$e->getMessage(), $e->queueName, $e->server, $e->redisError]), "\n";
}
$e = new RedisLockLostException('lost', lockName: 'SKU0001', result: ['order' => 4711]);
var_dump($e->result === ['order' => 4711], (new RedisLockLostException())->result);

echo "readonly all the same:\n";
foreach ([fn () => $e->__construct(lockName: 'other'), fn () => $e->__construct(result: 1), fn () => $e->lockName = 'other'] as $change) {
    try {
        $change();
    } catch (Error $error) {
        echo $error->getMessage(), "\n";
    }
}
var_dump($e->lockName, $e->getMessage());

/** A subclass has its own constructor, or none. */
class SoldOut extends RedisLockException
{
    protected $message = 'sold out';
    public function __construct(string $sku) { parent::__construct(lockName: $sku); }
}
class Plain extends RedisLockLostException { public function __construct() {} }
var_dump((new SoldOut('SKU0001'))->lockName, (new SoldOut('SKU0001'))->getMessage(), (new Plain())->lockName, (new Plain())->result);
thrown(fn () => new RedisLockException(lockName: []));
thrown(fn () => new RedisLockException(result: 1));
?>
--EXPECT--
string(8) "sold out"
int(7)
string(3) "why"
string(0) ""
RedisLockLostException
RedisLockException ["",0,"SKU0001","redis:\/\/a:1\/0","OOM"]
RedisLockConnectionException ["",0,"SKU0001","redis:\/\/a:1\/0","OOM"]
RedisLockServerException ["",0,"SKU0001","redis:\/\/a:1\/0","OOM"]
RedisLockTimeoutException ["",0,"SKU0001","redis:\/\/a:1\/0","OOM"]
RedisLockHeldException ["",0,"SKU0001","redis:\/\/a:1\/0","OOM"]
RedisLockLostException ["",0,"SKU0001","redis:\/\/a:1\/0","OOM"]
RedisQueueException ["m","mails","redis:\/\/a:1\/0",""]
RedisQueueConnectionException ["m","mails","redis:\/\/a:1\/0",""]
RedisQueueServerException ["m","mails","redis:\/\/a:1\/0",""]
bool(true)
NULL
readonly all the same:
Cannot modify readonly property RedisLockLostException::$lockName
Cannot modify readonly property RedisLockLostException::$result
Cannot modify readonly property RedisLockException::$lockName
string(7) "SKU0001"
string(4) "lost"
string(7) "SKU0001"
string(8) "sold out"
string(0) ""
NULL
TypeError: RedisLockException::__construct(): Argument #4 ($lockName) must be of type string, array given
Error: Unknown named parameter $result
