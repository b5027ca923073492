<?php

declare(strict_types=1);

namespace Windward;

/** What happened, as webhooks and the feed have it. */
final readonly class Event
{
    /**
     * @param string $id the same on every delivery: keep it, and ignore one that you know
     * @param string $event such as `payment.success`; ignore names that you do not know
     * @param int $sequence gap-free per account and environment
     * @param array<string, mixed> $data the record
     */
    public function __construct(
        public string $id,
        public string $apiFamily,
        public string $event,
        public int $sequence,
        public string $occurredAt,
        public array $data,
        public ?string $transactionId,
        public string $environment,
        public string $accountNumber,
    ) {
    }

    /**
     * @param array<string, mixed> $body
     * @throws \UnexpectedValueException when it is no event
     */
    public static function of(array $body): self
    {
        try {
            return new self(
                id: $body['id'] ?? null,
                apiFamily: $body['api_family'] ?? null,
                event: $body['event'] ?? null,
                sequence: $body['sequence'] ?? null,
                occurredAt: $body['occurred_at'] ?? null,
                data: $body['data'] ?? null,
                transactionId: $body['meta']['transaction_id'] ?? null,
                environment: $body['meta']['environment'] ?? null,
                accountNumber: $body['meta']['account_number'] ?? null,
            );
        } catch (\TypeError) {
            throw new \UnexpectedValueException('The body is no event.');
        }
    }
}
