<?php

declare(strict_types=1);

namespace Windward;

/**
 * What a browser brings to the `response_url`. Only our own names are signed, each once; what else
 * stands in the address is the merchant's.
 *
 * @internal
 */
final class RedirectParameters
{
    private const SIGNED = [
        'card', 'currency', 'data', 'date', 'message', 'order_id', 'reasonDescription', 'status',
        'total', 'transaction_id', 'uuid',
    ];
    private const DIGESTS = ['signature', 'hash'];

    /** @var array<string, string> those of ours */
    private readonly array $values;

    /** @param string|array<array-key, mixed> $redirect the whole address, its query, or `$_GET` */
    public function __construct(string|array $redirect)
    {
        $values = [];
        foreach (is_string($redirect) ? self::parse($redirect) : self::flat($redirect) as $pair) {
            [$name, $value] = $pair;
            if (!in_array($name, [...self::SIGNED, ...self::DIGESTS], true)) {
                continue;
            }
            // Parsers differ in which of two they believe, and we send each name once.
            if (isset($values[$name])) {
                throw new VerificationError(Reason::RepeatedParameter, "$name is there twice.");
            }
            $values[$name] = $value;
        }
        $this->values = $values;
    }

    public function get(string $name): ?string
    {
        return $this->values[$name] ?? null;
    }

    public function signedText(): string
    {
        $pairs = [];
        foreach ($this->values as $name => $value) {
            if (in_array($name, self::SIGNED, true)) {
                $pairs[] = [$name, $value];
            }
        }
        return FormText::of($pairs);
    }

    /**
     * Between the first question mark and the fragment; a text without one is the query itself.
     *
     * @return list<array{string, string}>
     */
    private static function parse(string $address): array
    {
        $whole = explode('#', trim($address), 2)[0];
        $at = strpos($whole, '?');
        $query = $at === false ? $whole : substr($whole, $at + 1);
        $pairs = [];
        foreach (explode('&', $query) as $part) {
            if ($part !== '') {
                $pair = explode('=', $part, 2);
                $pairs[] = [urldecode($pair[0]), urldecode($pair[1] ?? '')];
            }
        }
        return $pairs;
    }

    /**
     * @param array<array-key, mixed> $parameters
     * @return list<array{string, string}>
     */
    private static function flat(array $parameters): array
    {
        $pairs = [];
        foreach ($parameters as $name => $value) {
            foreach (is_array($value) ? $value : [$value] as $each) {
                if (is_string($each)) {
                    $pairs[] = [(string) $name, $each];
                }
            }
        }
        return $pairs;
    }
}
