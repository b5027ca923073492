<?php

declare(strict_types=1);

namespace Windward;

/** @internal */
final class Clock
{
    /** Since 1970, with the fraction that `getTimestamp` leaves out. */
    public static function seconds(\DateTimeInterface $time): float
    {
        return (float) $time->format('U.u');
    }
}
