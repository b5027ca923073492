<?php

declare(strict_types=1);

namespace Windward;

/** A refund as it was asked for; the payment's record and events tell how it ends. */
final readonly class Refund
{
    public function __construct(
        public string $id,
        public string $transactionId,
        public string $amount,
        public string $currency,
        public string $status,
    ) {
    }

    /** @param array<string, mixed> $record */
    public static function of(array $record): self
    {
        return new self(
            id: (string) $record['refund_id'],
            transactionId: (string) $record['transaction_id'],
            amount: (string) $record['amount'],
            currency: (string) $record['currency'],
            status: (string) $record['status'],
        );
    }
}
