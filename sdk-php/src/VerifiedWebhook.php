<?php

declare(strict_types=1);

namespace Windward;

final readonly class VerifiedWebhook
{
    /**
     * @param string $id the same on every try: keep it, and answer one that you know with 200
     * @param \DateTimeImmutable $timestamp of this try
     */
    public function __construct(
        public string $id,
        public \DateTimeImmutable $timestamp,
        public Event $event,
    ) {
    }
}
