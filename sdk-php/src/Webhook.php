<?php

declare(strict_types=1);

namespace Windward;

/**
 * Checks a delivery by the rule of Standard Webhooks, with the verdicts of the TypeScript SDK
 * (Decision 0112).
 *
 * The bytes that arrived are the bytes that were signed: pass `file_get_contents('php://input')`,
 * not JSON that was parsed and written anew.
 */
final class Webhook
{
    /** How far a delivery's time may be from the receiver's clock. */
    public const TOLERANCE_SECONDS = 300;

    private const SECRET_PREFIX = 'whsec_';
    /** Ours have twice as many; a shorter one is a secret that was cut off. */
    private const KEY_LENGTH_MIN = 16;
    private const BASE64 = '~^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\z~';

    /**
     * @param array<array-key, mixed> $headers `getallheaders()`, `$_SERVER`, or a framework's list
     * @param string|list<string> $secrets of several, such as during a rotation, any one will do
     * @throws VerificationError unless everything is right
     */
    public static function verify(
        string $rawBody,
        array $headers,
        #[\SensitiveParameter] string|array $secrets,
        ?\DateTimeInterface $now = null,
        int|float $toleranceSeconds = self::TOLERANCE_SECONDS,
    ): VerifiedWebhook {
        $given = self::readHeaders($headers);
        $id = self::needed($given, 'webhook-id');
        $timestamp = self::needed($given, 'webhook-timestamp');
        $signatures = self::digests(self::needed($given, 'webhook-signature'));
        $keys = [];
        // No array_map: a stack trace would show its arguments, the other secrets among them.
        foreach ((array) $secrets as $secret) {
            $keys[] = self::key($secret);
        }
        $seconds = self::checkTime($timestamp, $now ?? new \DateTimeImmutable(), $toleranceSeconds);
        $fits = false;
        foreach ($keys as $key) {
            $expected = hash_hmac('sha256', "$id.$timestamp.$rawBody", $key, true);
            // Every one is compared, so that the time taken does not tell which one fits.
            foreach ($signatures as $signature) {
                $fits = hash_equals($expected, $signature) || $fits;
            }
        }
        if (!$fits) {
            throw new VerificationError(Reason::WrongSignature, 'No signature fits.');
        }
        return new VerifiedWebhook($id, new \DateTimeImmutable("@$seconds"), self::event($rawBody));
    }

    /**
     * Names in lower case and with hyphens, also those of `$_SERVER`.
     *
     * @param array<array-key, mixed> $headers
     * @return array<string, string>
     */
    private static function readHeaders(array $headers): array
    {
        $read = [];
        foreach ($headers as $name => $value) {
            $plain = preg_replace('/^http_/', '', strtolower((string) $name)) ?? '';
            $texts = array_filter((array) $value, is_string(...));
            $read[str_replace('_', '-', $plain)] = trim(implode(' ', $texts));
        }
        return $read;
    }

    /** @param array<string, string> $headers */
    private static function needed(array $headers, string $name): string
    {
        $value = $headers[$name] ?? '';
        if ($value === '') {
            throw new VerificationError(Reason::MissingHeader, "There is no $name header.");
        }
        return $value;
    }

    /** @return list<string> of the version that we sign with; others are ignored */
    private static function digests(string $header): array
    {
        $digests = [];
        foreach (explode(' ', $header) as $each) {
            $digest = str_starts_with($each, 'v1,') ? self::fromBase64(substr($each, 3)) : null;
            if ($digest !== null) {
                $digests[] = $digest;
            }
        }
        return $digests;
    }

    private static function key(#[\SensitiveParameter] string $secret): string
    {
        $key = str_starts_with($secret, self::SECRET_PREFIX)
            ? self::fromBase64(substr($secret, strlen(self::SECRET_PREFIX)))
            : null;
        if ($key === null || strlen($key) < self::KEY_LENGTH_MIN) {
            $words = 'Give the secret as it was shown: whsec_ and what follows it.';
            throw new VerificationError(Reason::MalformedKey, $words);
        }
        return $key;
    }

    private static function fromBase64(string $text): ?string
    {
        $isBase64 = $text !== '' && preg_match(self::BASE64, $text) === 1;
        return $isBase64 ? (string) base64_decode($text, true) : null;
    }

    private static function checkTime(
        string $timestamp,
        \DateTimeInterface $now,
        int|float $toleranceSeconds,
    ): int {
        if (preg_match('/^\d{1,11}\z/', $timestamp) !== 1) {
            $words = 'The timestamp is no count of seconds.';
            throw new VerificationError(Reason::MalformedTimestamp, $words);
        }
        $age = Clock::seconds($now) - (int) $timestamp;
        if (-$age > $toleranceSeconds) {
            $words = sprintf('It was signed %d seconds from now.', round(-$age));
            throw new VerificationError(Reason::TooNew, $words);
        }
        // Asked this way round, a tolerance that is no number lets nothing pass.
        if (!($age <= $toleranceSeconds)) {
            $words = sprintf('It was signed %d seconds ago.', round($age));
            throw new VerificationError(Reason::TooOld, $words);
        }
        return (int) $timestamp;
    }

    private static function event(string $rawBody): Event
    {
        try {
            return Event::of(Json::object($rawBody) ?? []);
        } catch (\UnexpectedValueException) {
            throw new VerificationError(Reason::MalformedBody, 'The body is no JSON of an event.');
        }
    }
}
