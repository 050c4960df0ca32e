# All tests, on this machine's PHP and Redis.
exec "$(dirname "$0")/../../bin/test"
