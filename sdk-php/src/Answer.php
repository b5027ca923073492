<?php

declare(strict_types=1);

namespace Windward;

/**
 * An answer that has arrived to its end.
 *
 * @internal
 */
final readonly class Answer
{
    /** @param array<string, string> $headers by their names in lower case */
    public function __construct(public int $status, public array $headers, public string $body)
    {
    }

    public function header(string $name): ?string
    {
        return $this->headers[$name] ?? null;
    }

    public function retryAfterSeconds(): ?int
    {
        $given = $this->header('retry-after') ?? '';
        return preg_match('/^\d{1,6}\z/', $given) === 1 ? (int) $given : null;
    }
}
