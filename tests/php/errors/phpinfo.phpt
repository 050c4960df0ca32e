--TEST--
phpinfo shows the version, hiredis and the settings
--EXTENSIONS--
redislock
--FILE--
<?php
ob_start();
phpinfo(INFO_MODULES);
$info = ob_get_clean();
preg_match('/^redislock$.*?(?=^\w+$)/ms', $info, $section);
foreach (['support => enabled', 'Version =>', 'hiredis', 'redislock.servers => redis://127.0.0.1:6379', 'redislock.prefix => lock:'] as $row) {
    echo $row, ': ', str_contains($section[0] ?? '', $row) ? 'yes' : 'NO', "\n";
}
var_dump(preg_match('/^\d+\.\d+\.\d+/', phpversion('redislock')));
?>
--EXPECT--
support => enabled: yes
Version =>: yes
hiredis: yes
redislock.servers => redis://127.0.0.1:6379: yes
redislock.prefix => lock:: yes
int(1)
