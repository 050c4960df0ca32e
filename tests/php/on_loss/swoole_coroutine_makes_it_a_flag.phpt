--TEST--
Within a coroutine of Swoole, on_loss throw acts as flag; outside of one it does not
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../inc/extension.inc';
skip_without_compiler();
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';
require __DIR__ . '/../inc/extension.inc';

// Swoole is not there on every machine. What counts is that its class is written in C, and what its method answers.
$extension = new TestExtension('
    static zend_long id = -1;

    ZEND_BEGIN_ARG_INFO_EX(arginfo_get, 0, 0, 0)
    ZEND_END_ARG_INFO()
    ZEND_BEGIN_ARG_INFO_EX(arginfo_set, 0, 0, 1)
        ZEND_ARG_INFO(0, id)
    ZEND_END_ARG_INFO()

    static PHP_METHOD(Coroutine, getCid)
    {
        RETURN_LONG(id);
    }

    static PHP_METHOD(Coroutine, setCid)
    {
        zend_parse_parameters(ZEND_NUM_ARGS(), "l", &id);
    }

    static const zend_function_entry methods[] = {
        PHP_ME(Coroutine, getCid, arginfo_get, ZEND_ACC_PUBLIC | ZEND_ACC_STATIC)
        PHP_ME(Coroutine, setCid, arginfo_set, ZEND_ACC_PUBLIC | ZEND_ACC_STATIC)
        PHP_FE_END
    };

    static PHP_MINIT_FUNCTION(test)
    {
        zend_class_entry ce;

        INIT_CLASS_ENTRY(ce, "Swoole\\\\Coroutine", methods);
        zend_register_internal_class(&ce);
        return SUCCESS;
    }
');
$server = RedisServer::start();
$script = <<<'PHP'
    require INC;
    foreach ([7, -1] as $id) {
        Swoole\Coroutine::setCid($id);
        $redis = new RawClient($argv[2]);
        $lock = new RedisLock($argv[1], ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'throw']);
        thrown(function () use ($lock, $redis) {
            $lock->lock('x');
            take_away($redis, 'x');
            compute_until(fn () => $lock->lost('x'));
            return compute(0.3);
        });
        var_dump($lock->lost('x'), $lock->unlock('x'));
    }
    PHP;
echo run_script($script, [$server->dsn(), $server->addressOf('lock:x')], ['-d', "extension=$extension->path"])->out;
?>
--EXPECTF--
nothing thrown, returned 'computed to the end'
bool(true)
bool(false)
RedisLockLostException: unix://%s: the lease is over, or the lock was taken away (lock "x")
bool(true)
bool(false)
