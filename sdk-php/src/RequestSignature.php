<?php

declare(strict_types=1);

namespace Windward;

/**
 * Signs a payment request, so that the service can tell that the merchant itself sent it. For the
 * merchant's server: the secret must not reach a page that customers load. Tested with the vectors
 * of the TypeScript SDK (Decision 0112).
 */
final class RequestSignature
{
    /**
     * The fields with their `signature`: send them as JSON or as a form, and change nothing
     * afterwards. Numbers become text, lists become JSON text. The secret is `signing_secret` of
     * `GET /user/payment-key`, of the environment that the request names.
     *
     * @param array<array-key, mixed> $fields
     * @return array<array-key, string|bool|null>
     */
    public static function sign(
        array $fields,
        #[\SensitiveParameter] string $signingSecret,
    ): array {
        if ($signingSecret === '') {
            throw new \InvalidArgumentException('The signing secret is empty.');
        }
        unset($fields['signature']);
        $sent = [];
        $pairs = [];
        foreach ($fields as $name => $value) {
            $sent[$name] = self::sent((string) $name, $value);
            $pairs[] = [(string) $name, self::text($sent[$name])];
        }
        $sent['signature'] = hash_hmac('sha256', FormText::of($pairs), $signingSecret);
        return $sent;
    }

    private static function sent(string $name, mixed $value): string|bool|null
    {
        return match (true) {
            $value === null, is_bool($value) => $value,
            is_string($value) => self::utf8($name, $value),
            is_int($value), is_float($value) => NumberText::of($value),
            is_array($value) => Json::text($value),
            default => throw new \InvalidArgumentException(
                "$name is of type " . get_debug_type($value) . ', which cannot be sent.',
            ),
        };
    }

    private static function text(string|bool|null $value): string
    {
        return is_bool($value) ? ($value ? 'true' : 'false') : (string) $value;
    }

    private static function utf8(string $name, string $value): string
    {
        if (preg_match('//u', $value) !== 1) {
            throw new \InvalidArgumentException("$name is not UTF-8, which cannot be sent.");
        }
        return $value;
    }
}
