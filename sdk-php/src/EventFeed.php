<?php

declare(strict_types=1);

namespace Windward;

/**
 * Every event of one account and environment, in order, from `GET /events`. Webhooks may arrive
 * twice, late or not at all while your server is down; the feed has no gap.
 *
 * The file keeps the `sequence` of the last event that was handled. It is saved after `$handle`, so
 * an event comes again when the program dies in between: ignore an `id` that you have handled.
 */
final class EventFeed
{
    private const PAGE_SIZE = 100;

    /** @param 'live'|'sandbox' $environment */
    public function __construct(
        private readonly Windward $windward,
        private readonly string $accountNumber,
        private readonly string $environment,
        private readonly string $cursorFile,
    ) {
    }

    /**
     * Hands over every event that is new, and returns how many. Run it from cron or in a loop. When
     * `$handle` throws, that event is the first of the next run.
     *
     * @param callable(Event): void $handle
     */
    public function run(callable $handle): int
    {
        $file = new CursorFile($this->cursorFile);
        $count = 0;
        try {
            for ($after = $file->load(); ($events = $this->read($after)) !== []; ) {
                foreach ($events as $event) {
                    $handle($event);
                    $after = $event->sequence;
                    $file->save($after);
                    $count += 1;
                }
            }
        } finally {
            $file->close();
        }
        return $count;
    }

    /** @return list<Event> */
    private function read(int $after): array
    {
        $answer = $this->windward->get('/events', [
            'environment' => $this->environment,
            'after' => $after,
            'page_size' => self::PAGE_SIZE,
        ]);
        $last = $answer['meta']['last_sequence'] ?? null;
        if (!is_int($last) || $last < $after) {
            throw new \UnexpectedValueException(
                "The feed ends with $last, but {$this->cursorFile} has got to $after.",
            );
        }
        $events = array_map(Event::of(...), $answer['data']);
        foreach ($events as $index => $event) {
            $this->checkPlace($event, $after + 1 + $index);
        }
        return $events;
    }

    /** An event of another feed would be handled in the place of the right one. */
    private function checkPlace(Event $event, int $expected): void
    {
        $isOurs = $event->accountNumber === $this->accountNumber;
        if (!$isOurs || $event->environment !== $this->environment) {
            throw new \UnexpectedValueException(
                "An event of {$event->accountNumber} ({$event->environment}) came to the feed of "
                    . "{$this->accountNumber} ({$this->environment}).",
            );
        }
        if ($event->sequence !== $expected) {
            throw new \UnexpectedValueException(
                "The feed has {$event->sequence} in the place of $expected.",
            );
        }
    }
}
