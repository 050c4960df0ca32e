# All phpt tests under valgrind: no error, no definite leak, also where requests end badly and processes fork.
exec "$(dirname "$0")/../../bin/test" --valgrind
