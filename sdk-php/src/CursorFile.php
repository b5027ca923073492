<?php

declare(strict_types=1);

namespace Windward;

/**
 * Where a feed keeps how far it has come. One process at a time uses it, and it is written whole or
 * not at all: a crash leaves the number before or the number after.
 *
 * @internal
 */
final class CursorFile
{
    /** @var resource */
    private $lock;

    public function __construct(private readonly string $path)
    {
        $lock = @fopen("$path.lock", 'c');
        if ($lock === false) {
            throw new \RuntimeException("$path.lock cannot be written: make its folder first.");
        }
        if (!flock($lock, LOCK_EX | LOCK_NB)) {
            throw new \RuntimeException("Another process is using $path. Run one at a time.");
        }
        $this->lock = $lock;
    }

    public function load(): int
    {
        if (!is_file($this->path)) {
            return 0;
        }
        $text = trim((string) file_get_contents($this->path));
        if (preg_match('/^\d{1,18}\z/', $text) !== 1) {
            throw new \RuntimeException("{$this->path} does not hold a number. Delete it to begin"
                . ' with the first event again.');
        }
        return (int) $text;
    }

    public function save(int $sequence): void
    {
        $new = "{$this->path}.new";
        $file = @fopen($new, 'w');
        $isWritten = $file !== false && fwrite($file, "$sequence\n") !== false && fsync($file);
        if (!$isWritten || !fclose($file) || !rename($new, $this->path)) {
            throw new \RuntimeException("{$this->path} could not be written.");
        }
    }

    public function close(): void
    {
        flock($this->lock, LOCK_UN);
        fclose($this->lock);
    }
}
