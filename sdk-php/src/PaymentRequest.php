<?php

declare(strict_types=1);

namespace Windward;

/** What you ask a customer to pay. Amounts are text with two decimals: `'100.00'`. */
final readonly class PaymentRequest
{
    /**
     * @param string $orderId unique for each order of yours
     * @param string $responseUrl where the customer's browser brings the result
     * @param 'live'|'sandbox' $environment
     * @param 'customer_pay'|'merchant_absorb'|'split' $feeStructure who pays the fee
     * @param 'credit_card_co'|'3co_simple' $method the whole page, or the one for frames
     * @param string|null $email the customer's; the page asks for it when it is absent
     * @param string|null $data comes back in the result, the record and events
     * @param list<array{name: string, quantity: int, unit_price: string}>|null $items what is
     *     bought; the sum must be the total
     * @param array<string, string> $more any other field of the reference, such as `fname`
     */
    public function __construct(
        public string $accountNumber,
        public string $countryCode,
        public string $currency,
        public string $total,
        public string $orderId,
        public string $responseUrl,
        public string $environment = 'live',
        public string $feeStructure = 'customer_pay',
        public string $method = 'credit_card_co',
        public string $origin = 'php',
        public ?string $email = null,
        public ?string $data = null,
        public ?string $description = null,
        public ?array $items = null,
        public ?string $language = null,
        public array $more = [],
    ) {
    }

    /** As the service names them, without those that are absent. @return array<string, mixed> */
    public function fields(): array
    {
        $optional = [
            'email' => $this->email,
            'data' => $this->data,
            'description' => $this->description,
            'items' => $this->items,
            'language' => $this->language,
        ];
        return [
            'account_number' => $this->accountNumber,
            'country_code' => $this->countryCode,
            'currency' => $this->currency,
            'environment' => $this->environment,
            'fee_structure' => $this->feeStructure,
            'method' => $this->method,
            'order_id' => $this->orderId,
            'origin' => $this->origin,
            'response_url' => $this->responseUrl,
            'total' => $this->total,
            ...array_filter($optional, static fn(mixed $value): bool => $value !== null),
            ...$this->more,
        ];
    }
}
