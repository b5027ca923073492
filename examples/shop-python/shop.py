"""A small complete shop: a page with goods, payments by Windward, every order shipped once.
An order is paid only by what Windward has signed: the result that the customer's browser brings,
or a webhook. Either may come first, twice, late or never.
"""

import base64, hashlib, hmac, json, os, secrets, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import urlopen

env = os.environ.get
PORT = int(env("PORT", "4000"))
SHOP = f"http://localhost:{PORT}"
WINDWARD = env("WINDWARD_URL", "http://localhost:3000")
# The demo merchant's, which every `npm start` of Windward has.
ACCOUNT = env("WINDWARD_ACCOUNT", "1234567890")
SIGNING_SECRET = env("WINDWARD_SIGNING_SECRET", "sandbox-signing-secret")
HASH_KEY = env("WINDWARD_HASH_KEY", "123")
# Of the webhook endpoint, or of `windward listen` and `windward exam`.
WEBHOOK_SECRET = env("WINDWARD_WEBHOOK_SECRET", "whsec_c2VhLWdyYXBlLWJvb2tzLXdlYmhvb2tz")
SIGNED = "card currency data date message order_id status total transaction_id".split()
GOODS = [("Pepper sauce", "25.00"), ("A history of Tobago", "100.00")]
STATES = {"payment.refunded": "refunded", "payment.chargeback_released": "paid",
          "payment.chargeback_pending": "disputed", "payment.fraud_confirmed": "disputed"}
PAGE = """<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><style>
body {{ font: 1.1rem/1.5 system-ui; max-width: 34rem; margin: auto; padding: 1rem }}
li {{ padding: 0.5rem }} button {{ font: inherit; min-height: 3rem; padding: 0 1.5rem }}
</style><title>{title}</title><main><h1>{title}</h1>{content}</main>"""
BOUGHT = '<p>{item}, TTD {total}. Order {id}.</p><p><a href="/">Back to the shop</a></p>'
orders, lock = {}, Lock()


def check(is_right, words):
    if not is_right:
        raise PermissionError(words)


def is_same(one, other):
    return hmac.compare_digest(one.encode(), other.encode())


def signature_of(fields):
    text = urlencode(sorted(fields.items()), safe="*").replace("~", "%7E")
    return hmac.new(SIGNING_SECRET.encode(), text.encode(), hashlib.sha256).hexdigest()


def buy(item, total):
    order_id = f"shop-{secrets.token_hex(5)}"
    fields = {
        "account_number": ACCOUNT, "country_code": "TT", "currency": "TTD", "total": total,
        "environment": "sandbox", "fee_structure": "customer_pay", "method": "credit_card_co",
        "origin": "shop-python", "order_id": order_id, "response_url": f"{SHOP}/paid",
        "description": item,
    }
    body = urlencode({**fields, "signature": signature_of(fields)}).encode()
    asked = json.load(urlopen(f"{WINDWARD}/plugins/payments/request", body, timeout=30))
    # Anybody may request another payment under our order id: this is the one that counts.
    orders[order_id] = {"id": order_id, "item": item, "total": total, "state": "unpaid",
                        "transaction_id": asked["transaction_id"], "shipped": 0, "sequence": 0}
    return asked["url"]


def is_paid(query, order):
    given = {"signature": "", "hash": "", **dict(parse_qsl(query, keep_blank_values=True))}
    signature = signature_of({name: given[name] for name in SIGNED if name in given})
    check(is_same(signature, given["signature"]), "The signature does not fit.")
    check(given.get("transaction_id") == order["transaction_id"], "It is another payment's result.")
    digest = hashlib.md5(("{transaction_id}{total}".format(**order) + HASH_KEY).encode()).hexdigest()
    is_success = given.get("status") == "success"
    check(not is_success or is_same(digest, given["hash"]), "The hash does not fit.")
    return is_success


def read_webhook(body, headers):
    stamp = headers.get("webhook-timestamp", "")[:12]
    check(stamp.isdecimal() and abs(time.time() - int(stamp)) <= 300, "The timestamp is off.")
    key = base64.b64decode(WEBHOOK_SECRET.removeprefix("whsec_"))
    # The bytes that arrived are the bytes that were signed.
    text = f"{headers.get('webhook-id', '')}.{stamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    fits = [is_same(expected, each) for each in headers.get("webhook-signature", "").split()]
    check(any(fits), "No signature fits.")
    return json.loads(body)


def move(order, event, sequence=0):
    """Results and webhooks lead here, twice or late: ships once, undoes nothing newer."""
    with lock:
        if event == "payment.success" and order["state"] == "unpaid":
            order.update(state="paid", shipped=1)
        if event in STATES and sequence > order["sequence"]:
            order.update(state=STATES[event], sequence=sequence)


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        order = orders.get(dict(parse_qsl(url.query)).get("order_id"))
        if url.path == "/":
            line = '<li>{}, TTD {} <button name="item" value="{}">Buy</button></li>'
            lines = "".join(line.format(*item, at) for at, item in enumerate(GOODS))
            content = f'<form method="post" action="/buy"><ul>{lines}</ul></form>'
            self.answer(200, PAGE.format(title="Sea Grape Books", content=content))
        elif url.path == "/paid" and order:
            if is_paid(url.query, order):
                move(order, "payment.success")
            is_open = order["state"] == "unpaid"
            title = "Not paid. Try again." if is_open else "Thank you, it is paid."
            self.answer(200, PAGE.format(title=title, content=BOUGHT.format(**order)))
        elif url.path == "/orders" and (order or not url.query):
            # For `windward exam` and open-orders.ts. A real shop shows this to nobody.
            self.answer(200, json.dumps(order or list(orders.values())), "application/json")
        else:
            self.answer(404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        item = dict(parse_qsl(body.decode(errors="replace"))).get("item", "")
        if self.path == "/buy" and item in [str(at) for at in range(len(GOODS))]:
            self.answer(303, location=buy(*GOODS[int(item)]))
        elif self.path == "/webhook":
            event = read_webhook(body, self.headers)
            name, data = event["event"], event["data"]
            order = orders.get(data.get("order_id"))
            is_all = name != "payment.refunded" or data["refunded_total"] == data["customer_total"]
            if order and order["transaction_id"] == data["transaction_id"] and is_all:
                move(order, name, event["sequence"])
            self.answer(200)
        else:
            self.answer(404)

    def handle_one_request(self):
        try:
            super().handle_one_request()
        except PermissionError as error:
            self.answer(400, str(error))

    def answer(self, status, text="", kind="text/html; charset=utf-8", location=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(text.encode())


server = ThreadingHTTPServer(("127.0.0.1", PORT), Shop)
print(f"The shop is open: {SHOP}", flush=True)
server.serve_forever()
