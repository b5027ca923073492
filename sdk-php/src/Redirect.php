<?php

declare(strict_types=1);

namespace Windward;

/**
 * Checks what a customer's browser brought back, before anything is delivered.
 *
 * The `signature` decides, because it covers the status, the order and everything else of ours. The
 * MD5 `hash` covers neither; it is checked besides when its key is given.
 *
 * A good signature proves that the result is ours, not that it is about your order: anybody may
 * request a payment in your name, with your `order_id` and a smaller total. `transactionId` settles
 * that. The verdicts are those of the TypeScript SDK (Decision 0112).
 */
final class Redirect
{
    /**
     * @param string|array<array-key, mixed> $redirect the whole address, its query, or `$_GET`
     * @throws VerificationError unless everything is right
     */
    public static function verify(string|array $redirect, RedirectChecks $checks): VerifiedRedirect
    {
        $parameters = new RedirectParameters($redirect);
        self::checkSignature($parameters, $checks);
        self::checkHash($parameters, $checks);
        $result = self::result($parameters);
        self::checkExpected($result, $checks);
        self::checkAge($result, $checks);
        return $result;
    }

    private static function checkSignature(
        RedirectParameters $parameters,
        RedirectChecks $checks,
    ): void {
        $secret = $checks->signingSecret();
        if ($secret === '') {
            throw new VerificationError(Reason::MalformedKey, 'The signing secret is empty.');
        }
        $given = $parameters->get('signature');
        if ($given === null) {
            throw new VerificationError(Reason::MissingSignature, 'There is no signature.');
        }
        $expected = hash_hmac('sha256', $parameters->signedText(), $secret);
        if (!hash_equals($expected, $given)) {
            throw new VerificationError(Reason::WrongSignature, 'The signature does not fit.');
        }
    }

    private static function checkHash(RedirectParameters $parameters, RedirectChecks $checks): void
    {
        $hash = $parameters->get('hash');
        if ($parameters->get('status') !== 'success') {
            if ($hash === null) {
                return;
            }
            throw new VerificationError(Reason::UnexpectedHash, 'Only a success carries a hash.');
        }
        $key = $checks->hashKey();
        if (!is_string($key) || !is_string($checks->requestedTotal)) {
            return;
        }
        // Such as that of a saved card, which nobody paid anything for.
        if ($parameters->get('order_id') === null) {
            throw new VerificationError(Reason::WrongOrder, 'This is the result of no order.');
        }
        if ($hash === null) {
            throw new VerificationError(Reason::MissingHash, 'There is no hash.');
        }
        $id = $parameters->get('transaction_id') ?? '';
        if (!hash_equals(md5($id . $checks->requestedTotal . $key), $hash)) {
            throw new VerificationError(Reason::WrongHash, 'The hash does not fit.');
        }
    }

    private static function result(RedirectParameters $parameters): VerifiedRedirect
    {
        $status = $parameters->get('status');
        if (!in_array($status, ['success', 'failed', 'error'], true)) {
            $words = 'There is no status that is known.';
            throw new VerificationError(Reason::MissingParameter, $words);
        }
        $date = $parameters->get('date') ?? '';
        $isDate = preg_match('/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z\z/', $date) === 1;
        return new VerifiedRedirect(
            status: $status,
            transactionId: $parameters->get('transaction_id') ?? '',
            message: $parameters->get('message') ?? '',
            orderId: $parameters->get('order_id'),
            total: $parameters->get('total'),
            currency: $parameters->get('currency'),
            date: $isDate ? new \DateTimeImmutable($date) : null,
            card: $parameters->get('card'),
            data: $parameters->get('data'),
            uuid: $parameters->get('uuid'),
        );
    }

    private static function checkExpected(VerifiedRedirect $result, RedirectChecks $checks): void
    {
        $id = $checks->transactionId;
        if (is_string($id) && $result->transactionId !== $id) {
            $words = 'This is the result of another payment.';
            throw new VerificationError(Reason::WrongTransaction, $words);
        }
        if (is_string($checks->orderId) && $result->orderId !== $checks->orderId) {
            throw new VerificationError(Reason::WrongOrder, 'This is the result of another order.');
        }
        if (is_string($checks->currency) && $result->currency !== $checks->currency) {
            $words = 'This was paid in another currency.';
            throw new VerificationError(Reason::WrongCurrency, $words);
        }
    }

    private static function checkAge(VerifiedRedirect $result, RedirectChecks $checks): void
    {
        if ($checks->maxAgeSeconds instanceof Check) {
            return;
        }
        $now = $checks->now ?? new \DateTimeImmutable();
        $age = $result->date === null ? NAN : Clock::seconds($now) - Clock::seconds($result->date);
        if (!($age <= $checks->maxAgeSeconds)) {
            throw new VerificationError(Reason::TooOld, 'The result is older than it may be.');
        }
    }
}
