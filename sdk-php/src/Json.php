<?php

declare(strict_types=1);

namespace Windward;

/**
 * JSON as the service reads and writes it.
 *
 * @internal
 */
final class Json
{
    private const WRITE = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR;
    private const DEPTH = 512;

    /** @param array<array-key, mixed>|object $value */
    public static function text(array|object $value): string
    {
        try {
            return json_encode($value, self::WRITE);
        } catch (\JsonException $error) {
            throw new \InvalidArgumentException("This cannot be sent: {$error->getMessage()}.");
        }
    }

    /** @return array<string, mixed>|null null when it is not the JSON of an object */
    public static function object(string $text): ?array
    {
        if (!str_starts_with(ltrim($text, " \t\r\n"), '{')) {
            return null;
        }
        $value = json_decode($text, true, self::DEPTH, JSON_BIGINT_AS_STRING);
        return is_array($value) ? $value : null;
    }
}
