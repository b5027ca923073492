<?php

declare(strict_types=1);

namespace Windward;

final readonly class RequestedPayment
{
    /**
     * @param string $url where the customer pays: send the browser there
     * @param string $transactionId store it with your order before you do
     */
    public function __construct(public string $url, public string $transactionId)
    {
    }
}
