<?php

declare(strict_types=1);

namespace Windward;

/**
 * Sends one request until it is answered or not worth another try (`RetryPolicy`). An answer that
 * breaks off in the middle counts as lost.
 *
 * @internal
 */
final class Http
{
    /** Errors come with code, field and hint; a success is JSON whatever is asked for. */
    private const ACCEPT = 'Accept: application/json;q=0.9, application/problem+json';
    /** Far more than the longest page of a list. */
    private const BODY_BYTES_MAX = 32 * 1024 * 1024;

    public function __construct(
        private readonly string $baseUrl,
        private readonly \SensitiveParameterValue $apiKey,
        private readonly int $retries,
        private readonly float $timeoutSeconds,
    ) {
    }

    /** @throws WindwardError when there is no answer, or one that is no success */
    public function send(string $method, string $path, ?string $body, ?string $key): Answer
    {
        for ($attempt = 1; ; $attempt += 1) {
            $outcome = $this->try($method, $path, $body, $key);
            $answer = $outcome instanceof Answer ? $outcome : null;
            $isReading = $method === 'GET';
            $pauseMs = RetryPolicy::pauseMs($answer, $attempt, $isReading, $key !== null);
            if ($attempt > $this->retries || $pauseMs === null) {
                break;
            }
            usleep((int) ($pauseMs * 1000));
        }
        if ($outcome instanceof WindwardError) {
            throw $outcome;
        }
        if ($outcome->status < 200 || $outcome->status > 299) {
            throw WindwardError::of($outcome, $this->apiKey->getValue() !== null);
        }
        return $outcome;
    }

    private function try(
        string $method,
        string $path,
        ?string $body,
        ?string $key,
    ): Answer|WindwardError {
        $headers = [];
        $received = '';
        $handle = curl_init($this->baseUrl . $path);
        curl_setopt_array($handle, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $this->headers($body, $key),
            // Not followed: a redirect could carry the API key to another host.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT_MS => (int) ($this->timeoutSeconds * 1000),
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$headers): int {
                [$name, $value] = [...explode(':', $line, 2), ''];
                $headers[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
            CURLOPT_WRITEFUNCTION => static function ($_, string $part) use (&$received): int {
                $received .= $part;
                return strlen($received) > self::BODY_BYTES_MAX ? -1 : strlen($part);
            },
        ]);
        if ($body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $body);
        }
        if (curl_exec($handle) === false) {
            // Its words and not `curl_error`, which may quote what was sent.
            $words = curl_strerror(curl_errno($handle)) ?? 'it could not be reached';
            return new WindwardError("No answer from {$this->origin()}: $words.");
        }
        return new Answer(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $headers, $received);
    }

    /** @return list<string> */
    private function headers(?string $body, ?string $key): array
    {
        $apiKey = $this->apiKey->getValue();
        return [
            self::ACCEPT,
            ...($body === null ? [] : ['Content-Type: application/json']),
            ...($apiKey === null ? [] : ["X-SVC-Key: $apiKey"]),
            ...($key === null ? [] : ["Idempotency-Key: $key"]),
            // curl would wait for a go-ahead before it sends a long body.
            'Expect:',
        ];
    }

    private function origin(): string
    {
        $parts = parse_url($this->baseUrl) ?: [];
        $port = isset($parts['port']) ? ":{$parts['port']}" : '';
        return ($parts['scheme'] ?? '') . '://' . ($parts['host'] ?? '') . $port;
    }
}
