<?php

declare(strict_types=1);

namespace Windward;

/** Why something was not believed. The values are those of the TypeScript SDK. */
enum Reason: string
{
    case MalformedKey = 'malformed_key';
    case MissingExpectation = 'missing_expectation';
    case MalformedTotal = 'malformed_total';
    case MissingParameter = 'missing_parameter';
    case RepeatedParameter = 'repeated_parameter';
    case MissingSignature = 'missing_signature';
    case WrongSignature = 'wrong_signature';
    case MissingHash = 'missing_hash';
    case UnexpectedHash = 'unexpected_hash';
    case WrongHash = 'wrong_hash';
    case WrongTransaction = 'wrong_transaction';
    case WrongOrder = 'wrong_order';
    case WrongCurrency = 'wrong_currency';
    case MissingHeader = 'missing_header';
    case MalformedTimestamp = 'malformed_timestamp';
    case TooOld = 'too_old';
    case TooNew = 'too_new';
    case MalformedBody = 'malformed_body';
}
