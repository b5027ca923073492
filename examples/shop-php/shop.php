<?php

/**
 * A small complete shop: a page with goods, payments by Windward, every order shipped once.
 * An order is paid only by what Windward has signed: the result that the customer's browser brings,
 * or a webhook. Either may come first, twice, late or never.
 */

declare(strict_types=1);

require __DIR__ . '/../../sdk-php/autoload.php';

use Windward\{Event, PaymentRequest, Redirect, RedirectChecks, Webhook, Windward};

/** The demo merchant's account and keys, which every `npm start` of Windward has. */
define('ENV', getenv() + [
    'WINDWARD_URL' => 'http://localhost:3000',
    'WINDWARD_ACCOUNT' => '1234567890',
    'WINDWARD_SIGNING_SECRET' => 'sandbox-signing-secret',
    'WINDWARD_HASH_KEY' => '123',
    // Of the webhook endpoint, or of `windward listen` and `windward exam`.
    'WINDWARD_WEBHOOK_SECRET' => 'whsec_c2VhLWdyYXBlLWJvb2tzLXdlYmhvb2tz',
    'ORDERS_FILE' => __DIR__ . '/orders.json',
]);
const GOODS = ['Pepper sauce' => '25.00', 'A history of Tobago' => '100.00'];
const STYLE = 'body { font: 1.1rem/1.5 system-ui; max-width: 34rem; margin: auto; padding: 1rem }
li { padding: 0.5rem } button { font: inherit; min-height: 3rem; padding: 0 1.5rem }';
// A warning, too, answers 500: what was not stored must not be acknowledged.
ini_set('display_errors', '0');
set_error_handler(fn(int $_, string $words) => throw new ErrorException($words));
try {
    $order = is_string($_GET['order_id'] ?? '') ? $_GET['order_id'] ?? '' : notFound();
    $item = is_string($_POST['item'] ?? '') ? $_POST['item'] ?? '' : notFound();
    match ($_SERVER['REQUEST_METHOD'] . ' ' . parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
        'GET /' => show('Sea Grape Books', shelf()),
        'POST /buy' => buy(array_keys(GOODS)[$item] ?? notFound()),
        'GET /paid' => paid(orders()[$order] ?? notFound()),
        'POST /webhook' => webhook((string) file_get_contents('php://input'), getallheaders()),
        // For `windward exam` and open-orders.ts. A real shop shows this to nobody.
        'GET /orders' => report($order === '' ? array_values(orders()) : orders()[$order] ?? null),
        default => notFound(),
    };
} catch (\Windward\VerificationError $error) {
    http_response_code(400);
    echo $error->getMessage();
}

function buy(string $item): void
{
    $id = 'shop-' . bin2hex(random_bytes(5));
    $request = new PaymentRequest(
        origin: 'shop-php', accountNumber: ENV['WINDWARD_ACCOUNT'], countryCode: 'TT',
        currency: 'TTD', total: GOODS[$item], orderId: $id, description: $item,
        responseUrl: "http://{$_SERVER['SERVER_NAME']}:{$_SERVER['SERVER_PORT']}/paid",
        environment: 'sandbox',
    );
    $windward = new Windward(ENV['WINDWARD_URL']);
    $asked = $windward->requestPayment($request, ENV['WINDWARD_SIGNING_SECRET']);
    // Anybody may request another payment under our order id: this is the one that counts.
    $order = ['id' => $id, 'item' => $item, 'total' => GOODS[$item], 'state' => 'unpaid'];
    $order += ['transaction_id' => $asked->transactionId, 'shipped' => 0, 'sequence' => 0];
    change($id, fn(): array => $order);
    header("Location: {$asked->url}", true, 303);
}

function paid(array $order): void
{
    $result = Redirect::verify($_SERVER['REQUEST_URI'], new RedirectChecks(
        signingSecret: ENV['WINDWARD_SIGNING_SECRET'],
        transactionId: $order['transaction_id'],
        hashKey: ENV['WINDWARD_HASH_KEY'],
        requestedTotal: $order['total'],
    ));
    $order = $result->isPaid() ? change($order['id'], ship(...)) : $order;
    $title = $order['state'] === 'unpaid' ? 'Not paid. Try again.' : 'Thank you, it is paid.';
    $words = "{$order['item']}, TTD {$order['total']}. Order {$order['id']}.";
    show($title, "<p>$words</p><p><a href=\"/\">Back to the shop</a></p>");
}

function webhook(string $body, array $headers): void
{
    $event = Webhook::verify($body, $headers, ENV['WINDWARD_WEBHOOK_SECRET'])->event;
    $order = orders()[$event->data['order_id'] ?? ''] ?? null;
    if ($order !== null && $order['transaction_id'] === $event->transactionId) {
        change($order['id'], fn(array $order): array => handle($order, $event));
    }
}

/** An event may come twice or late: it ships once, and undoes nothing that came after it. */
function handle(array $order, Event $event): array
{
    $isAllBack = ($event->data['refunded_total'] ?? '') === ($event->data['customer_total'] ?? '');
    $state = match ($event->event) {
        'payment.refunded' => $isAllBack ? 'refunded' : null,
        'payment.chargeback_pending', 'payment.fraud_confirmed' => 'disputed',
        'payment.chargeback_released' => 'paid', default => null,
    };
    if ($state === null || $event->sequence <= $order['sequence']) {
        return $event->event === 'payment.success' ? ship($order) : $order;
    }
    return [...$order, 'state' => $state, 'sequence' => $event->sequence];
}

/** Result and webhook both lead here; the first one ships. */
function ship(array $order): array
{
    return $order['state'] === 'unpaid' ? [...$order, 'state' => 'paid', 'shipped' => 1] : $order;
}

function orders(): array
{
    return is_file($file = ENV['ORDERS_FILE']) ? json_decode(file_get_contents($file), true) : [];
}

/** Changes one order while no other request can, and writes the file whole or not at all. */
function change(string $id, callable $how): array
{
    flock($lock = fopen(ENV['ORDERS_FILE'] . '.lock', 'c'), LOCK_EX);
    $orders = orders();
    $orders[$id] = $how($orders[$id] ?? null);
    file_put_contents(ENV['ORDERS_FILE'] . '.new', json_encode($orders));
    rename(ENV['ORDERS_FILE'] . '.new', ENV['ORDERS_FILE']);
    return $orders[$id];
}

function report(?array $found): void
{
    header('Content-Type: application/json');
    echo json_encode($found ?? notFound());
}

function notFound(): never
{
    http_response_code(404);
    exit;
}

function shelf(): string
{
    $line = fn(string $name, string $price, int $at): string =>
        "<li>$name, TTD $price <button name=\"item\" value=\"$at\">Buy</button></li>";
    $lines = implode(array_map($line, array_keys(GOODS), GOODS, array_keys(array_keys(GOODS))));
    return "<form method=\"post\" action=\"/buy\"><ul>$lines</ul></form>";
}

function show(string $title, string $content): void
{
    echo "<!doctype html><html lang=\"en\"><meta name=\"viewport\" content=\"width=device-width\">"
        . "<title>$title</title><style>" . STYLE . "</style><main><h1>$title</h1>$content</main>";
}
