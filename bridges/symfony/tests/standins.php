<?php

declare(strict_types=1);

/*
 * What Symfony calls of the polyfills that composer.json here replaces. For these tests only: an application has the
 * polyfills themselves.
 */

if (!function_exists('get_error_handler')) {
    function get_error_handler(): ?callable
    {
        $handler = set_error_handler(null);
        restore_error_handler();

        return $handler;
    }
}

if (!function_exists('deepclone_to_array')) {
    /** @return array<string, string> */
    function deepclone_to_array(mixed $value): array
    {
        return ['serialized' => serialize($value)];
    }

    /** @param array<string, string> $data */
    function deepclone_from_array(array $data): mixed
    {
        return unserialize($data['serialized']);
    }
}
