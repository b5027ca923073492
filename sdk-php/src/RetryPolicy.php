<?php

declare(strict_types=1);

namespace Windward;

/**
 * What is tried again, and when: the same as in the TypeScript SDK (Decision 0112).
 *
 * A request is sent again only if the first one cannot have had an effect that the second would
 * repeat: it only reads, or it carries an `Idempotency-Key`. Other requests are repeated only after
 * a 429, which is answered before anything is done.
 *
 * @internal
 */
final class RetryPolicy
{
    /** Nobody is kept waiting for longer: the error says when to come back. */
    private const RETRY_AFTER_SECONDS_MAX = 60;
    private const FIRST_MS = 250;
    private const MOST_MS = 8_000;
    /** Our 503, and what proxies say when they lost our answer: the effect is unknown. */
    private const UNKNOWN = [502, 503, 504];

    /** How long to wait before the next try; null: there is none. No answer: it was lost. */
    public static function pauseMs(
        ?Answer $answer,
        int $attempt,
        bool $isReading,
        bool $isKeyed,
    ): ?float {
        if (!self::isWorthRepeating($answer, $isReading, $isKeyed)) {
            return null;
        }
        $askedSeconds = $answer?->retryAfterSeconds() ?? 0;
        if ($askedSeconds > self::RETRY_AFTER_SECONDS_MAX) {
            return null;
        }
        $whole = min(self::MOST_MS, self::FIRST_MS * 2 ** ($attempt - 1));
        return $askedSeconds * 1000 + $whole * (0.5 + mt_rand() / mt_getrandmax() / 2);
    }

    private static function isWorthRepeating(?Answer $answer, bool $isReading, bool $isKeyed): bool
    {
        if ($answer === null || in_array($answer->status, self::UNKNOWN, true)) {
            return $isReading || $isKeyed;
        }
        if ($answer->status === 429) {
            return true;
        }
        // The first of two with this key is still running. Other conflicts do not pass by waiting.
        return $answer->status === 409 && $isKeyed && $answer->retryAfterSeconds() !== null;
    }
}
