<?php

declare(strict_types=1);

namespace Windward;

/**
 * The client: payment requests, refunds, events and every other call of the interface, with an API
 * key, an `Idempotency-Key` where the service takes one, and retries that cannot pay twice.
 *
 * A call returns the body of its success and throws a `WindwardError` otherwise.
 */
final class Windward
{
    private readonly Http $http;

    /**
     * @param string $baseUrl where the service is, such as `https://api.example.com`
     * @param string|null $apiKey `svc_live_…` or `svc_test_…`; payment requests need none
     * @param int $retries how often a call that may be repeated is tried again
     * @param float $timeoutSeconds how long one try may take
     */
    public function __construct(
        string $baseUrl,
        #[\SensitiveParameter] ?string $apiKey = null,
        int $retries = 3,
        float $timeoutSeconds = 30,
    ) {
        $url = parse_url($baseUrl) ?: [];
        $isHttp = in_array($url['scheme'] ?? '', ['http', 'https'], true) && isset($url['host']);
        if (!$isHttp || isset($url['user']) || isset($url['query'])) {
            throw new WindwardError('The baseUrl must be an address: https://api.example.com.');
        }
        if (!extension_loaded('curl')) {
            throw new WindwardError(
                'PHP has no curl extension. On Debian and Ubuntu: apt-get install php-curl.',
            );
        }
        // A header that cannot be sent would be quoted in the error about it.
        $key = $apiKey === null ? null : trim($apiKey);
        if ($key === '') {
            throw new WindwardError('The apiKey is empty. Pass null where you have none.');
        }
        if ($key !== null && preg_match('/^[\x21-\x7e]+\z/', $key) !== 1) {
            throw new WindwardError('The apiKey has characters that no API key has.');
        }
        $secret = new \SensitiveParameterValue($key);
        $this->http = new Http(rtrim($baseUrl, '/'), $secret, $retries, $timeoutSeconds);
    }

    /**
     * Asks for a page on which a customer pays. With the signing secret the request is signed.
     *
     * @throws WindwardError
     */
    public function requestPayment(
        PaymentRequest $request,
        #[\SensitiveParameter] ?string $signingSecret = null,
        ?string $idempotencyKey = null,
    ): RequestedPayment {
        $fields = $request->fields();
        $sent = $signingSecret === null ? $fields : RequestSignature::sign($fields, $signingSecret);
        $answer = $this->post('/plugins/payments/request', $sent, $idempotencyKey);
        [$url, $id] = self::texts($answer, 'url', 'transaction_id');
        return new RequestedPayment($url, $id);
    }

    /**
     * Gives back all that is left of a payment, or `$amount` of it. Pass a key of your own, such as
     * `"refund-$orderId"`, and a refund is safe to repeat after a crash of your program, too.
     *
     * @throws WindwardError
     */
    public function refund(
        string $transactionId,
        ?string $amount = null,
        ?string $reason = null,
        ?string $idempotencyKey = null,
    ): Refund {
        $fields = array_filter(
            ['amount' => $amount, 'reason' => $reason],
            static fn(?string $value): bool => $value !== null,
        );
        $id = self::segment('transaction id', $transactionId);
        $answer = $this->post("/transactions/$id/refund", $fields, $idempotencyKey);
        $refund = self::part(self::part($answer, 'data'), 'refund');
        self::texts($refund, 'refund_id', 'transaction_id', 'amount', 'currency', 'status');
        return Refund::of($refund);
    }

    /**
     * The record of a payment.
     *
     * @return array<string, mixed>
     * @throws WindwardError
     */
    public function transaction(string $transactionId): array
    {
        $id = self::segment('transaction id', $transactionId);
        return self::part($this->get("/transactions/$id"), 'data');
    }

    /**
     * @param array<string, scalar> $query
     * @return array<string, mixed>
     * @throws WindwardError
     */
    public function get(string $path, array $query = []): array
    {
        return $this->call('GET', $path . ($query === [] ? '' : '?' . http_build_query($query)));
    }

    /**
     * For routes that take an `Idempotency-Key`: all that create or move something. One is made per
     * call and kept for its retries.
     *
     * @param array<array-key, mixed> $fields
     * @return array<string, mixed>
     * @throws WindwardError
     */
    public function post(string $path, array $fields = [], ?string $idempotencyKey = null): array
    {
        $key = $idempotencyKey ?? bin2hex(random_bytes(16));
        if (preg_match('/^[\x21-\x7e]{1,255}\z/', $key) !== 1) {
            throw new WindwardError('An Idempotency-Key has 1 to 255 visible ASCII characters.');
        }
        return $this->call('POST', $path, Json::text((object) $fields), $key);
    }

    /**
     * Of a success that may be no answer of ours: another web server's, or a proxy's.
     *
     * @param array<array-key, mixed> $answer
     * @return array<string, mixed>
     */
    private static function part(array $answer, string $name): array
    {
        $part = $answer[$name] ?? null;
        return is_array($part) ? $part : throw self::missing($name);
    }

    /**
     * @param array<array-key, mixed> $answer
     * @return list<string>
     */
    private static function texts(array $answer, string ...$names): array
    {
        $text = static fn(string $name): string =>
            is_string($answer[$name] ?? null) ? $answer[$name] : throw self::missing($name);
        return array_map($text, array_values($names));
    }

    private static function missing(string $name): WindwardError
    {
        return new WindwardError("The answer has no $name: is the baseUrl that of Windward?");
    }

    /** @return array<string, mixed> */
    private function call(
        string $method,
        string $path,
        ?string $body = null,
        ?string $key = null,
    ): array {
        // Behind the base's host: without the slash a path could name another one.
        if (!str_starts_with($path, '/')) {
            throw new WindwardError('A path begins with a slash: /transactions/.');
        }
        $answer = $this->http->send($method, $path, $body, $key);
        return Json::object($answer->body)
            ?? throw new WindwardError('The answer is not a JSON object.', $answer->status);
    }

    /** An empty one would name the list, and dots another path. */
    private static function segment(string $name, string $value): string
    {
        if (in_array($value, ['', '.', '..'], true)) {
            throw new WindwardError("The $name that goes into the path names nothing.");
        }
        return rawurlencode($value);
    }
}
