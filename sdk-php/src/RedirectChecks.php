<?php

declare(strict_types=1);

namespace Windward;

/**
 * What a redirect is checked against. Name the arguments; `null` and '' are refused. The keys are
 * kept in a `SensitiveParameterValue`, which dumps, `var_export` and JSON leave out.
 */
final readonly class RedirectChecks
{
    private \SensitiveParameterValue $signingSecret;
    private \SensitiveParameterValue $hashKey;

    /**
     * @param string $signingSecret `signing_secret` of `GET /user/payment-key`, of the environment
     *     that was paid in
     * @param string|Check|null $transactionId from the answer to your own request: settles the
     *     order, the total and the currency
     * @param string|Check|null $hashKey `hash_key` of the same answer: `hash` is checked as well;
     *     needs `$requestedTotal`
     * @param string|Check|null $requestedTotal what you asked for, with two decimals; not `total`,
     *     which is what the customer pays
     * @param string|Check|null $orderId the order that you expect; anybody may request a payment
     *     under its name
     * @param int|float|Check|null $maxAgeSeconds refuses a result whose `date` is longer ago
     */
    public function __construct(
        #[\SensitiveParameter] string $signingSecret,
        public string|Check|null $transactionId = Check::Skipped,
        #[\SensitiveParameter] string|Check|null $hashKey = Check::Skipped,
        public string|Check|null $requestedTotal = Check::Skipped,
        public string|Check|null $orderId = Check::Skipped,
        public string|Check|null $currency = Check::Skipped,
        public int|float|Check|null $maxAgeSeconds = Check::Skipped,
        public ?\DateTimeInterface $now = null,
    ) {
        $this->signingSecret = new \SensitiveParameterValue($signingSecret);
        $this->hashKey = new \SensitiveParameterValue($hashKey);
        $expected = compact(
            'hashKey',
            'requestedTotal',
            'transactionId',
            'orderId',
            'currency',
            'maxAgeSeconds',
        );
        foreach ($expected as $name => $value) {
            if ($value === null || $value === '') {
                $words = "$name is to be checked, and is empty.";
                throw new VerificationError(Reason::MissingExpectation, $words);
            }
        }
        $this->checkTotal();
    }

    public function signingSecret(): string
    {
        return $this->signingSecret->getValue();
    }

    public function hashKey(): string|Check|null
    {
        return $this->hashKey->getValue();
    }

    private function checkTotal(): void
    {
        if ($this->hashKey() === Check::Skipped) {
            if ($this->requestedTotal === Check::Skipped) {
                return;
            }
            $words = 'The requested total is checked by the hash: give the hash key, too.';
            throw new VerificationError(Reason::MalformedKey, $words);
        }
        $total = is_string($this->requestedTotal) ? $this->requestedTotal : '';
        if (preg_match('/^(0|[1-9]\d*)\.\d{2}\z/', $total) !== 1) {
            $words = 'Give the requested total with two decimals, such as "10.00".';
            throw new VerificationError(Reason::MalformedTotal, $words);
        }
    }
}
