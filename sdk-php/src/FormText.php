<?php

declare(strict_types=1);

namespace Windward;

/**
 * The text under the `signature` of results and of payment requests: pairs sorted by name, written
 * as application/x-www-form-urlencoded.
 *
 * @internal
 */
final class FormText
{
    /** @param list<array{string, string}> $pairs */
    public static function of(array $pairs): string
    {
        usort($pairs, static fn(array $one, array $other): int =>
            strcmp(self::sortKey($one[0]), self::sortKey($other[0])));
        return implode('&', array_map(
            static fn(array $pair): string => self::encode($pair[0]) . '=' . self::encode($pair[1]),
            $pairs,
        ));
    }

    /** Letters, digits and `*-._` stay, a space is `+`, every other byte is `%XX`. */
    private static function encode(string $text): string
    {
        return str_replace('%2A', '*', urlencode($text));
    }

    /**
     * The service sorts by UTF-16 code units. UTF-8 bytes have the same order but for characters
     * beyond U+FFFF, which UTF-16 puts before U+E000: their first bytes are F0 to F4, and the first
     * bytes of U+E000 to U+FFFF are EE and EF.
     */
    private static function sortKey(string $name): string
    {
        return strtr($name, "\xEE\xEF", "\xFE\xFF");
    }
}
