<?php

declare(strict_types=1);

namespace Windward;

/** A redirect or a webhook that must not be believed: `reason` is for programs. */
final class VerificationError extends \RuntimeException
{
    public function __construct(public readonly Reason $reason, string $message)
    {
        parent::__construct($message);
    }
}
