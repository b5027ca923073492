<?php

declare(strict_types=1);

namespace Windward;

/**
 * The service refused, or did not answer. `getMessage()` has everything in one text, for a log; an
 * error holds nothing that was sent, no credential either.
 */
final class WindwardError extends \RuntimeException
{
    private const NEEDS_KEY = 'This call needs an API key: new Windward($url, $key).';

    /**
     * @param string $detail what happened, in one sentence
     * @param int $status of the answer; 0 when there was none
     * @param string|null $errorCode which error it is; `/docs/errors/<code>` has a page about it
     * @param string|null $field the field it is about, where it is about one
     * @param string|null $hint what to do about it
     * @param string|null $requestId identifies the request in the service's log
     * @param int|null $retryAfterSeconds when to retry, where the service says so
     * @param array<string, mixed>|null $body of the answer
     */
    public function __construct(
        public readonly string $detail,
        public readonly int $status = 0,
        public readonly ?string $errorCode = null,
        public readonly ?string $field = null,
        public readonly ?string $hint = null,
        public readonly ?string $requestId = null,
        public readonly ?int $retryAfterSeconds = null,
        public readonly ?array $body = null,
    ) {
        $names = array_filter([
            $errorCode,
            $field === null ? null : "field $field",
            $requestId === null ? null : "request $requestId",
        ]);
        $isSentence = preg_match('/[.!?:]\z/', $detail) === 1;
        $sentences = $hint === null ? $detail : $detail . ($isSentence ? ' ' : '. ') . $hint;
        $named = $names === [] ? '' : ' (' . implode(', ', $names) . ')';
        parent::__construct($sentences . $named, $status);
    }

    /** Of an answer that is no success. */
    public static function of(Answer $answer, bool $hasKey = true): self
    {
        $body = Json::object($answer->body);
        $text = static fn(string $name): ?string =>
            is_string($body[$name] ?? null) && $body[$name] !== '' ? $body[$name] : null;
        return new self(
            detail: $text('message') ?? "The service answered {$answer->status}.",
            status: $answer->status,
            errorCode: $answer->header('x-svc-error'),
            field: $text('field'),
            hint: $answer->status === 401 && !$hasKey ? self::NEEDS_KEY : $text('hint'),
            requestId: $answer->header('x-request-id'),
            retryAfterSeconds: $answer->retryAfterSeconds(),
            body: $body,
        );
    }
}
