<?php

declare(strict_types=1);

namespace Windward;

/** The result of a payment, of a saved card or of a refused request. */
final readonly class VerifiedRedirect
{
    /**
     * @param 'success'|'failed'|'error' $status
     * @param string $transactionId empty when the request was refused before there was one
     * @param string|null $total what the customer paid
     * @param string|null $card such as `visa **** 1111`; empty when none was used
     * @param string|null $uuid of the card that was saved
     */
    public function __construct(
        public string $status,
        public string $transactionId,
        public string $message,
        public ?string $orderId = null,
        public ?string $total = null,
        public ?string $currency = null,
        public ?\DateTimeImmutable $date = null,
        public ?string $card = null,
        public ?string $data = null,
        public ?string $uuid = null,
    ) {
    }

    public function isPaid(): bool
    {
        return $this->status === 'success' && $this->orderId !== null;
    }
}
