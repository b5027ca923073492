<?php

declare(strict_types=1);

namespace Windward;

/**
 * Stands for a check that was not asked for. `null` does not: an expectation that was lost, such as
 * that of an expired session, must fail and not pass for checked.
 */
enum Check
{
    case Skipped;
}
