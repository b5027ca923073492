<?php

declare(strict_types=1);

namespace Windward;

/**
 * Numbers as the service writes them when it checks a signature: the shortest digits that mean the
 * same number, without PHP's `precision` settings.
 *
 * @internal
 */
final class NumberText
{
    private const DIGITS_MAX = 17;

    public static function of(int|float $number): string
    {
        if (is_int($number)) {
            return (string) $number;
        }
        if (!is_finite($number)) {
            throw new \InvalidArgumentException('A number that is not finite cannot be sent.');
        }
        if ($number == 0.0) {
            return '0';
        }
        [$digits, $exponent] = self::shortest(abs($number));
        return ($number < 0 ? '-' : '') . self::layOut($digits, $exponent);
    }

    /** @return array{string, int} the digits, and the power of ten of the first one */
    private static function shortest(float $number): array
    {
        for ($count = 1; ; $count += 1) {
            $text = sprintf('%.' . ($count - 1) . 'e', $number);
            if ((float) $text === $number || $count === self::DIGITS_MAX) {
                [$mantissa, $exponent] = explode('e', $text);
                return [str_replace('.', '', $mantissa), (int) $exponent];
            }
        }
    }

    private static function layOut(string $digits, int $exponent): string
    {
        $count = strlen($digits);
        if ($exponent > 20 || $exponent < -6) {
            $mantissa = $count === 1 ? $digits : $digits[0] . '.' . substr($digits, 1);
            return $mantissa . 'e' . ($exponent < 0 ? '-' : '+') . abs($exponent);
        }
        if ($exponent < 0) {
            return '0.' . str_repeat('0', -$exponent - 1) . $digits;
        }
        if ($exponent >= $count - 1) {
            return $digits . str_repeat('0', $exponent - $count + 1);
        }
        return substr($digits, 0, $exponent + 1) . '.' . substr($digits, $exponent + 1);
    }
}
