/** Made by `npm run generate` from the routes of the service. Do not edit by hand. */

export interface paths {
    "/auth/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in: exchange an e-mail and a password for tokens
         * @description Needs no credential. At most 5 a minute from one address.
         */
        post: operations["post-auth-tokens"];
        /**
         * Sign out: revoke the token and everything refreshed with it
         * @description Takes a bearer token or an API key. At most 5 a minute from one address.
         */
        delete: operations["delete-auth-tokens"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/tokens/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a refresh token for a new pair
         * @description Works once per token and keeps the scopes. If the answer is lost, the same request within ten seconds gives the same pair; any other reuse ends the whole sign-in. Needs no credential. At most 5 a minute from one address.
         */
        post: operations["post-auth-tokens-refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what the credential of this request allows
         * @description Takes a bearer token or an API key. At most 1200 a minute for each credential.
         */
        get: operations["get-auth-whoami"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public keys that verify access tokens
         * @description Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-well-known-jwks-json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Takes a bearer token of a BUSINESS account. At most 20 a minute for each credential.
         */
        get: operations["get-auth-keys"];
        put?: never;
        /**
         * Make an API key
         * @description The key carries at most the scopes of the token that makes it, and is shown only here. Made with a token that lacks `svc-user-all`, it lives 30 days at most. Takes a bearer token of a BUSINESS account. At most 20 a minute for each credential.
         */
        post: operations["post-auth-keys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/keys/{kid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one API key
         * @description Takes a bearer token of a BUSINESS account. At most 20 a minute for each credential.
         */
        get: operations["get-auth-keys-kid"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Takes a token that carries every scope of the key. Takes a bearer token of a BUSINESS account. At most 20 a minute for each credential.
         */
        delete: operations["delete-auth-keys-kid"];
        options?: never;
        head?: never;
        /**
         * Change an API key's name, addresses or expiry
         * @description Takes a bearer token of a BUSINESS account. At most 20 a minute for each credential.
         */
        patch: operations["patch-auth-keys-kid"];
        trace?: never;
    };
    "/auth/keys/{kid}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key by a new one with the same settings
         * @description Its expiry is that of the old key; rotated with a token that lacks `svc-user-all`, it ends within 30 days. Takes a bearer token of a BUSINESS account. At most 20 a minute for each credential.
         */
        post: operations["post-auth-keys-kid-rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Everything that happened, oldest first. Remember the `sequence` of the last event you have dealt with and ask for what came `after` it: nothing is missed and nothing comes twice. Each event is byte for byte what webhook endpoints are sent. Takes a bearer token or an API key with `svc-user-retrieve` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/resent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events that were sent again
         * @description What was resent or replayed to a webhook endpoint, or sent again with `POST /events/{id}/resend`, oldest first, of the last 30 days. Remember the last `number` and ask for what came `after` it. `windward listen` follows it. Takes a bearer token or an API key with `svc-user-retrieve` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-events-resent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again to feed clients such as `windward listen`
         * @description It appears in `GET /events/resent`, which `windward listen` follows. To send it to an endpoint again, resend its delivery. Takes a bearer token or an API key with `svc-user-update` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-events-id-resend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add the profile picture
         * @description A bmp, gif, jpeg, png or svg of at most 5 MB and 25 million pixels. It is kept as a PNG of 200 by 200 pixels, filled, without metadata. A client that cannot send a file with PATCH sends it here with a field `_method` set to PATCH. Takes a bearer token or an API key with `svc-user-create` or `svc-user-all`. An API key of the sandbox gets 403. At most 5 a minute for each account.
         */
        post: operations["post-user-picture"];
        /**
         * Remove the profile picture
         * @description Takes a bearer token or an API key with `svc-user-delete` or `svc-user-all`. An API key of the sandbox gets 403. At most 5 a minute for each account.
         */
        delete: operations["delete-user-picture"];
        options?: never;
        head?: never;
        /**
         * Replace the profile picture
         * @description The new picture has a new address; the old address leads nowhere. Takes a bearer token or an API key with `svc-user-update` or `svc-user-all`. An API key of the sandbox gets 403. At most 5 a minute for each account.
         */
        patch: operations["patch-user-picture"];
        trace?: never;
    };
    "/pictures/{picture_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a profile picture
         * @description The address is in the profile. It cannot be guessed, and changes with the picture. Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-pictures-picture-id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/business": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the business profile
         * @description Takes a bearer token or an API key with `svc-user-retrieve` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-user-business"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the business profile
         * @description What is left out stays as it is; null or an empty text clears a field. Takes a bearer token or an API key with `svc-user-update` or `svc-user-all`. An API key of the sandbox gets 403. At most 20 a minute for each account.
         */
        patch: operations["patch-user-business"];
        trace?: never;
    };
    "/user/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the logo
         * @description A bmp, gif, jpeg, png or svg of at most 5 MB and 25 million pixels. It is kept as a PNG in its own proportions, inside 480 by 160 pixels, without metadata, under a new address. Takes a bearer token or an API key with `svc-user-create` or `svc-user-all`. An API key of the sandbox gets 403. At most 5 a minute for each account.
         */
        post: operations["post-user-logo"];
        /**
         * Remove the logo
         * @description Takes a bearer token or an API key with `svc-user-delete` or `svc-user-all`. An API key of the sandbox gets 403. At most 5 a minute for each account.
         */
        delete: operations["delete-user-logo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/logos/{logo_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a logo
         * @description The address is in the business profile, and changes with the logo. Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-logos-logo-id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions
         * @description Newest first. Follow the links: they carry `as_of`, so that nothing is missed or repeated while new transactions come; a `page` without it is of this moment. `total` is exact, except in lists of more than 10,000 transactions more than 1,000 of which fit `total_min` and `total_max`: then it is how many are known so far, and `links.next` tells whether there are more. As CSV (`Accept: text/csv` or `format=csv`) all pages come as one. Takes a bearer token or an API key with `svc-transactions-retrieve` or `svc-transactions-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-transactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Work out the fee of a payment
         * @description The same figures, to the cent, as a payment of that amount would have at this moment. Takes a bearer token or an API key with `svc-transactions-get-fees` or `svc-transactions-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-transactions-fees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what may be paid
         * @description Takes a bearer token or an API key with `svc-transactions-retrieve` or `svc-transactions-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-transactions-meta"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transaction_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one transaction
         * @description Takes a bearer token or an API key with `svc-transactions-retrieve` or `svc-transactions-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-transactions-transaction-id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transaction_id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a refund
         * @description Gives back to the customer what was paid, or part of it; the fee is not given back to the merchant. The merchant's funds are held at once; the transaction's `status_desc` and `refunded_total` tell how it ends. Takes a bearer token or an API key with `svc-transactions-refund-request` or `svc-transactions-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-transactions-transaction-id-refund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/transactions/{transaction_id}/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the receipt again
         * @description Customers with an e-mail get a receipt when they have paid, and one for each refund. This sends the payment's again, at most 5 times an hour for each payment and 20 times to one address. Takes a bearer token or an API key with `svc-transactions-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-transactions-transaction-id-receipt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/payment-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the keys that results are checked with
         * @description Takes a bearer token of a BUSINESS account with `svc-user-retrieve` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-user-payment-key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Say whether payment requests must be signed
         * @description With `require_signature` true a payment request for this account and environment is refused unless it carries the right `signature`, so that nobody else can use the account's order numbers. It holds for every request that is sent after the answer. Takes a bearer token of a BUSINESS account with `svc-user-update` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        patch: operations["patch-user-payment-key"];
        trace?: never;
    };
    "/user/payment-key/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace those keys
         * @description From the answer on every result, also of payments under way, is told with the new keys and the old ones are worth nothing: a payment request that was signed with the old secret is refused. An Idempotency-Key that repeats does not show them again: read them. Takes a bearer token of a BUSINESS account with `svc-user-update` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-user-payment-key-rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/withdrawals/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List withdrawals
         * @description Newest first. Filters combine. Follow the links: they carry `as_of`, so that nothing is missed or repeated while new withdrawals come. Takes a bearer token or an API key with `svc-withdrawals-retrieve` or `svc-withdrawals-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-withdrawals"];
        put?: never;
        /**
         * Ask for a withdrawal
         * @description Amount and fee are held at once. `normal` pays the account's own bank for the currency, as it is at this moment; the others are for main merchants. Takes a bearer token only. Give an `Idempotency-Key`, and a request that is sent twice pays once. Takes a bearer token with `svc-withdrawals-create` or `svc-withdrawals-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-withdrawals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/withdrawals/{transaction_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one withdrawal
         * @description Takes a bearer token or an API key with `svc-withdrawals-retrieve` or `svc-withdrawals-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-withdrawals-transaction-id"];
        put?: never;
        post?: never;
        /**
         * Cancel a pending withdrawal
         * @description Amount and fee are back at once. It stays in the history under `with_deleted`. Takes a bearer token or an API key with `svc-withdrawals-delete` or `svc-withdrawals-all`. At most 1200 a minute for each credential.
         */
        delete: operations["delete-withdrawals-transaction-id"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/withdrawals/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a withdrawal may say
         * @description Needs no credential; with one, it is that of the caller's platform. Keep it with its ETag. Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-withdrawals-meta"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/transactions/{transaction_id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make something happen to a sandbox payment
         * @description By the same code as the real thing: events, ledger, webhooks, receipts and the redirect follow. `approve`, `decline` and `expire` end an open payment, whatever its page shows. `refund_accepted` and `refund_rejected` end its oldest refund that is under way; the others are what the card's bank does to a paid one. Takes a bearer token or an API key with `svc-transactions-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-sandbox-transactions-transaction-id-simulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/withdrawals/{transaction_id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make something happen to a sandbox withdrawal
         * @description By the same code as the real thing. After `process` the sandbox's bank waits ten minutes for the next simulation before it goes on by itself; `return` sends a completed one back. Takes a bearer token or an API key with `svc-withdrawals-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-sandbox-withdrawals-transaction-id-simulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/webhooks/{id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate the receiver of a sandbox endpoint
         * @description For so many seconds, deliveries of this endpoint are not sent: `ok` counts as 200, `error` as 500, `gone` as 410, `timeout` as no answer. Attempts, retries and disabling are as ever. A later call replaces it; 0 seconds end it. Takes a bearer token or an API key with `svc-user-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-sandbox-webhooks-id-simulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests
         * @description Requests of the last 7 days or more that came with a credential of this account, and payment requests for it, newest first. They appear about a second after their answers, and under heavy load some may be missing. One list looks at the newest 5,000 of each environment within `since` and `until`; `links.next` of its last page leads on to older ones. Takes a bearer token or an API key with `svc-user-retrieve` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look at one request
         * @description What was sent and answered. Passwords, tokens, keys, secrets, security codes and numbers of cards and bank accounts are masked. A refused request has an explanation. Takes a bearer token or an API key with `svc-user-retrieve` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-requests-request-id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an account
         * @description It is on its maker's platform, and neither verified nor a main merchant. Takes a bearer token or an API key with `svc-accounts-create` or `svc-accounts-all`. An API key of the sandbox gets 403. At most 1200 a minute for each credential.
         */
        post: operations["post-accounts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{account_number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an account
         * @description Takes a bearer token or an API key with `svc-accounts-retrieve` or `svc-accounts-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-accounts-account-number"];
        put?: never;
        post?: never;
        /**
         * Delete an account
         * @description It is closed for good: sign-ins, tokens and keys end at once, and its e-mail stays taken. Takes a bearer token or an API key with `svc-accounts-delete` or `svc-accounts-all`. An API key of the sandbox gets 403. At most 1200 a minute for each credential.
         */
        delete: operations["delete-accounts-account-number"];
        options?: never;
        head?: never;
        /**
         * Change an account's e-mail, names or phone
         * @description At least one of them. What else is sent is ignored. Another e-mail of the caller's own account needs a token with `svc-user-update`; owners and the old e-mail are told. Takes a bearer token or an API key with `svc-accounts-update` or `svc-accounts-all`. An API key of the sandbox gets 403. At most 1200 a minute for each credential.
         */
        patch: operations["patch-accounts-account-number"];
        trace?: never;
    };
    "/user/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the profile
         * @description Takes a bearer token or an API key with `svc-user-retrieve` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the password
         * @description Every other sign-in ends at once, wherever it is used. API keys stay. Takes a bearer token or an API key with `svc-user-update` or `svc-user-all`. An API key of the sandbox gets 403. At most 5 a minute for each account.
         */
        patch: operations["patch-user-password"];
        trace?: never;
    };
    "/user/phone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the phone
         * @description Takes a bearer token or an API key with `svc-user-update` or `svc-user-all`. An API key of the sandbox gets 403. At most 5 a minute for each account.
         */
        patch: operations["patch-user-phone"];
        trace?: never;
    };
    "/user/banks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read both bank accounts
         * @description Takes a bearer token or an API key with `svc-user-retrieve` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-user-banks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/banks/local": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the local bank account
         * @description Takes a bearer token or an API key with `svc-user-retrieve` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-user-banks-local"];
        put?: never;
        /**
         * Add the local bank account
         * @description Takes a bearer token or an API key with `svc-user-create` or `svc-user-all`. An API key of the sandbox gets 403. At most 1200 a minute for each credential.
         */
        post: operations["post-user-banks-local"];
        /**
         * Remove the local bank account
         * @description Takes a bearer token or an API key with `svc-user-delete` or `svc-user-all`. An API key of the sandbox gets 403. At most 1200 a minute for each credential.
         */
        delete: operations["delete-user-banks-local"];
        options?: never;
        head?: never;
        /**
         * Change the local bank account
         * @description At least one field. What is not sent stays as it is, and the whole must be right; another bank comes with its own number and branch. An optional field can be replaced, not taken away: remove the bank account and add it again. Takes a bearer token or an API key with `svc-user-update` or `svc-user-all`. An API key of the sandbox gets 403. At most 1200 a minute for each credential.
         */
        patch: operations["patch-user-banks-local"];
        trace?: never;
    };
    "/user/banks/foreign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the foreign bank account
         * @description Takes a bearer token or an API key with `svc-user-retrieve` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-user-banks-foreign"];
        put?: never;
        /**
         * Add the foreign bank account
         * @description Takes a bearer token or an API key with `svc-user-create` or `svc-user-all`. An API key of the sandbox gets 403. At most 1200 a minute for each credential.
         */
        post: operations["post-user-banks-foreign"];
        /**
         * Remove the foreign bank account
         * @description Takes a bearer token or an API key with `svc-user-delete` or `svc-user-all`. An API key of the sandbox gets 403. At most 1200 a minute for each credential.
         */
        delete: operations["delete-user-banks-foreign"];
        options?: never;
        head?: never;
        /**
         * Change the foreign bank account
         * @description At least one field. What is not sent stays as it is, and the whole must be right; another bank comes with its own number and branch. An optional field can be replaced, not taken away: remove the bank account and add it again. Takes a bearer token or an API key with `svc-user-update` or `svc-user-all`. An API key of the sandbox gets 403. At most 1200 a minute for each credential.
         */
        patch: operations["patch-user-banks-foreign"];
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Takes a bearer token or an API key with `svc-user-retrieve` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-webhooks"];
        put?: never;
        /**
         * Make a webhook endpoint
         * @description From then on the events of its environment are sent to it. Its secret is shown only here. Takes a bearer token or an API key with `svc-user-create` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-webhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one webhook endpoint
         * @description Takes a bearer token or an API key with `svc-user-retrieve` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-webhooks-id"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Cancels what waits. Once it is answered nothing more is sent. Takes a bearer token or an API key with `svc-user-delete` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        delete: operations["delete-webhooks-id"];
        options?: never;
        head?: never;
        /**
         * Change, disable or enable a webhook endpoint
         * @description Disabling cancels what waits, and nothing more is sent once it is answered. Enabling sends what happens from then on; a replay sends what was missed. Takes a bearer token or an API key with `svc-user-update` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        patch: operations["patch-webhooks-id"];
        trace?: never;
    };
    "/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook endpoint a new secret
         * @description The old secret signs beside the new one for 24 hours. Rotating again ends the oldest at once. Takes a bearer token or an API key with `svc-user-update` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-webhooks-id-rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook endpoint
         * @description A `webhook.test`, sent to this endpoint alone. How it went is told by its deliveries. Takes a bearer token or an API key with `svc-user-update` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-webhooks-id-test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was sent to a webhook endpoint
         * @description Newest first, the newest 10,000 of those asked for: `until` leads to older ones. What has ended is kept for 30 days. Takes a bearer token or an API key with `svc-user-retrieve` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-webhooks-id-deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{delivery}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one delivery again
         * @description The same event under the same id, with a new time, signature and round of attempts. Takes a bearer token or an API key with `svc-user-update` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-webhooks-id-deliveries-delivery-resend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again what happened in a span of time
         * @description By the endpoint's own filter, also what it was never sent. One request looks at 2,000 events, oldest first; when `is_complete` is false, send it again with the `since` and `after` of `next`. Takes a bearer token or an API key with `svc-user-update` or `svc-user-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-webhooks-id-replay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/payments/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a payment
         * @description Answers with the address of a page at which the customer pays, and with the id that the payment has from then on. That is no confirmation of payment. A form that a browser posts (its Accept has text/html) is sent on to the page, or back to `response_url` with the reason; everybody else reads JSON and is never redirected. The same order with other details replaces the payment that is open, which ends as failed with `[3-R97]`, as long as no card was tried for it. An account may require a `signature` (`PATCH /user/payment-key`): then nobody else can ask in its name. Needs no credential. At most 600 a minute from one address.
         */
        post: operations["post-plugins-payments-request"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/get/states": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the states of a country
         * @description Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-plugins-get-states"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/get/currencies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the currencies
         * @description Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-plugins-get-currencies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/get/environments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the environments
         * @description Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-plugins-get-environments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plugins/get/fee_structures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fee structures
         * @description Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-plugins-get-fee-structures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trusted-cards/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cards
         * @description Takes a bearer token or an API key with `svc-trusted-cards-retrieve` or `svc-trusted-cards-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-trusted-cards"];
        put?: never;
        /**
         * Ask a customer to save a card
         * @description Answers with the address of a page at which the customer enters a card. A small amount between 0.50 and 0.99 USD is charged to prove it; the customer reads it from the card's statement, you verify the card with it, and it is returned. The browser comes back to `response_url` with `status`, `transaction_id`, the card's `uuid` and, in the sandbox alone, the amount as `total`. Takes a bearer token or an API key with `svc-trusted-cards-create` or `svc-trusted-cards-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-trusted-cards"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trusted-cards/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one card
         * @description Takes a bearer token or an API key with `svc-trusted-cards-retrieve` or `svc-trusted-cards-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-trusted-cards-uuid"];
        put?: never;
        post?: never;
        /**
         * Delete a card
         * @description Nobody can charge it any more. If it was not verified, the small amount is returned. Takes a bearer token or an API key with `svc-trusted-cards-delete` or `svc-trusted-cards-all`. At most 1200 a minute for each credential.
         */
        delete: operations["delete-trusted-cards-uuid"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trusted-cards/{uuid}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a card
         * @description With the small amount that its holder read from the statement, within 24 hours. The third wrong amount deletes the card. Either way the amount is returned. Takes a bearer token or an API key with `svc-trusted-cards-verify` or `svc-trusted-cards-all`. At most 5 a minute for each account.
         */
        post: operations["post-trusted-cards-uuid-verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trusted-cards/{uuid}/charge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a payment with a saved card
         * @description Answers with the address of a page at which the customer enters the card's security code and, where the card's bank asks, confirms the payment. Everything else is as with a payment request: the redirect, its hash, the transaction and its events. Takes a bearer token or an API key with `svc-trusted-cards-charge-request` or `svc-trusted-cards-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-trusted-cards-uuid-charge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment links
         * @description Takes a bearer token or an API key with `svc-links-retrieve` or `svc-links-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-payment-links"];
        put?: never;
        /**
         * Make a payment link
         * @description An address at which customers pay without a shop: send it, print its QR code, or put it on a site. Each payment is an ordinary one, with an order of its own. `max_payments` and `expires_at` hold whatever happens at once: a card takes a slot when it is submitted and gives it back when it fails. Takes a bearer token or an API key with `svc-links-create` or `svc-links-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-payment-links"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one payment link
         * @description Takes a bearer token or an API key with `svc-links-retrieve` or `svc-links-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-payment-links-id"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a payment link, or switch it off
         * @description What is left out stays; null or an empty text clears a field. What it costs cannot be changed: the link may already be printed or sent. Takes a bearer token or an API key with `svc-links-update` or `svc-links-all`. At most 1200 a minute for each credential.
         */
        patch: operations["patch-payment-links-id"];
        trace?: never;
    };
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the sandbox's clock
         * @description Development stage only. Takes a bearer token or an API key with `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-sandbox-clock"];
        put?: never;
        /**
         * Move the sandbox's clock
         * @description Development stage only. Deadlines of payments, cards and links, retries and statements follow it, in every account; what has become due is done within seconds. Credentials, one-time codes, limits on requests and the timestamps of signatures stay on real time. It runs forward only, at most 10 years ahead; restoring a snapshot brings its time back. Takes a bearer token or an API key with `svc-user-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-sandbox-clock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List snapshots of the sandbox
         * @description Development stage only, and only with the embedded database. A snapshot is of the whole service: every account, its sign-ins and keys, and the clock. Takes a bearer token or an API key with `svc-user-all`. At most 1200 a minute for each credential.
         */
        get: operations["get-sandbox-snapshots"];
        put?: never;
        /**
         * Make a snapshot of the sandbox
         * @description Development stage only, and only with the embedded database. A snapshot is of the whole service: every account, its sign-ins and keys, and the clock. While it is made other requests get 503 with `Retry-After`. Takes a bearer token or an API key with `svc-user-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-sandbox-snapshots"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/snapshots/{name}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a snapshot of the sandbox
         * @description Development stage only, and only with the embedded database. A snapshot is of the whole service: every account, its sign-ins and keys, and the clock. Everything since then is gone, sign-ins and keys included: if yours is younger, sign in again. Other requests get 503 with `Retry-After` meanwhile. The snapshot stays. Takes a bearer token or an API key with `svc-user-all`. At most 1200 a minute for each credential.
         */
        post: operations["post-sandbox-snapshots-name-restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/snapshots/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a snapshot of the sandbox
         * @description Development stage only, and only with the embedded database. A snapshot is of the whole service: every account, its sign-ins and keys, and the clock. Takes a bearer token or an API key with `svc-user-all`. At most 1200 a minute for each credential.
         */
        delete: operations["delete-sandbox-snapshots-name"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Is the process alive?
         * @description Needs no credential.
         */
        get: operations["get-livez"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * May it be given traffic?
         * @description Needs no credential.
         */
        get: operations["get-readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counters and timings for Prometheus
         * @description Needs no credential.
         */
        get: operations["get-metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Collections of requests to download
         * @description Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-collections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/collections/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One collection, of a version or the latest
         * @description Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-collections-file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This interface as OpenAPI 3.1
         * @description Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-openapi-json"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The documentation
         * @description Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/reference.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The script of the interactive reference
         * @description Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-docs-reference-js"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All errors by their codes
         * @description Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-docs-errors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/errors/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an error means and what to do about it
         * @description Needs no credential. At most 1200 a minute from one address.
         */
        get: operations["get-docs-errors-code"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Tokens */
        Tokens: {
            /**
             * @description That it was done.
             * @constant
             */
            message: "OK";
            /**
             * @description Never another.
             * @constant
             */
            token_type: "Bearer";
            /**
             * @description Seconds that the access token lives.
             * @constant
             */
            expires_in: 43200;
            /**
             * @description A JWT, for `Authorization: Bearer`.
             * @example eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl
             */
            access_token: string;
            /**
             * @description Buys the next pair, once.
             * @example svc_rt_7Qm2XvT9bLk4Rz8WcPd1Yh6NsGf3JtAe5UoVi0BxKqD
             */
            refresh_token: string;
        };
        /** SignInError */
        SignInError: {
            /**
             * @description One sentence.
             * @example The user credentials were incorrect.
             */
            message: string;
            /**
             * @description The kind of error.
             * @example invalid_credentials
             * @enum {string}
             */
            error: "invalid_credentials" | "invalid_grant";
            /**
             * @description The sentence again.
             * @example The user credentials were incorrect.
             */
            error_description: string;
        };
        /** Credential */
        Credential: {
            /**
             * @description Whose it is.
             * @example 1234567890
             */
            account_number: string;
            /**
             * @description Of the account.
             * @example BUSINESS
             * @enum {string}
             */
            account_type: "PERSONAL" | "BUSINESS";
            /**
             * @description The account's platform.
             * @example TT
             * @enum {string}
             */
            country_code: "BB" | "GD" | "GY" | "JM" | "TT";
            /**
             * @description Whether the account may make others.
             * @example true
             */
            main_merchant: boolean;
            /**
             * @description How the request was authenticated.
             * @example bearer
             * @enum {string}
             */
            credential: "bearer" | "api_key";
            /**
             * @description The API key's, if it was one.
             * @example null
             */
            kid: string | null;
            /**
             * @description Which data it reaches.
             * @example [
             *       "live",
             *       "sandbox"
             *     ]
             */
            environments: ("live" | "sandbox")[];
            /**
             * @description What it allows.
             * @example [
             *       "svc-user-all",
             *       "svc-transactions-all"
             *     ]
             */
            scopes: string[];
            /**
             * @description When it ends.
             * @example 2026-11-16T02:03:07.000Z
             */
            expires_at: string | null;
        };
        /** NewApiKey */
        NewApiKey: {
            /**
             * @description The part of the key that may be shown.
             * @example 0f3a9c5e7b1d2468ac
             */
            kid: string;
            /**
             * @description A name to recognise it by.
             * @example Web shop
             */
            name: string | null;
            /**
             * @description Which data it reaches.
             * @example sandbox
             * @enum {string}
             */
            environment: "live" | "sandbox";
            /**
             * @description Whether it works.
             * @example active
             * @enum {string}
             */
            status: "active" | "expired" | "revoked";
            /**
             * @description What it allows.
             * @example [
             *       "svc-user-all",
             *       "svc-transactions-retrieve"
             *     ]
             */
            scopes: string[];
            /**
             * @description The address ranges it works from; none: any address.
             * @example [
             *       "203.0.113.0/24"
             *     ]
             */
            allowed_cidrs: string[];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-15T14:03:07.412Z
             */
            created_at: string;
            /**
             * @description When it stops working.
             * @example 2027-01-31T12:00:00Z
             */
            expires_at: string | null;
            /**
             * @description When it was last used, to the minute or so.
             * @example null
             */
            last_used_at: string | null;
            /**
             * @description The `kid` of the key that replaced it.
             * @example null
             */
            rotated_to: string | null;
            /**
             * @description The whole key. Shown once: not even a replay shows it again.
             * @example svc_test_0f3a9c5e7b1d2468ac_4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d
             */
            key?: string;
        };
        /** ApiKey */
        ApiKey: {
            /**
             * @description The part of the key that may be shown.
             * @example 0f3a9c5e7b1d2468ac
             */
            kid: string;
            /**
             * @description A name to recognise it by.
             * @example Web shop
             */
            name: string | null;
            /**
             * @description Which data it reaches.
             * @example sandbox
             * @enum {string}
             */
            environment: "live" | "sandbox";
            /**
             * @description Whether it works.
             * @example active
             * @enum {string}
             */
            status: "active" | "expired" | "revoked";
            /**
             * @description What it allows.
             * @example [
             *       "svc-user-all",
             *       "svc-transactions-retrieve"
             *     ]
             */
            scopes: string[];
            /**
             * @description The address ranges it works from; none: any address.
             * @example [
             *       "203.0.113.0/24"
             *     ]
             */
            allowed_cidrs: string[];
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-15T14:03:07.412Z
             */
            created_at: string;
            /**
             * @description When it stops working.
             * @example 2027-01-31T12:00:00Z
             */
            expires_at: string | null;
            /**
             * @description When it was last used, to the minute or so.
             * @example null
             */
            last_used_at: string | null;
            /**
             * @description The `kid` of the key that replaced it.
             * @example null
             */
            rotated_to: string | null;
        };
        /**
         * PageMeta
         * @description Where this page stands.
         */
        PageMeta: {
            /**
             * @description Which page this is.
             * @example 1
             */
            page: number;
            /**
             * @description How many are on a full page.
             * @example 20
             */
            page_size: number;
            /**
             * @description How many there are in all.
             * @example 1
             */
            total: number;
            /**
             * @description The last page that has any.
             * @example 1
             */
            last_page: number;
        };
        /**
         * PageLinks
         * @description Follow these instead of counting: filters stay in place.
         */
        PageLinks: {
            /**
             * @description The first page.
             * @example https://api.example.com/list?page=1&page_size=20
             */
            first: string;
            /**
             * @description The page before; null on the first.
             * @example null
             */
            prev: string | null;
            /**
             * @description The page after; null at the end.
             * @example null
             */
            next: string | null;
            /**
             * @description The last page.
             * @example https://api.example.com/list?page=1&page_size=20
             */
            last: string;
        };
        /** Event */
        Event: {
            /**
             * @description Of this event, for good: a UUID of version 7.
             * @example 019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70
             */
            id: string;
            /**
             * @description `payments_api` for payments and cards.
             * @example payments_api
             * @enum {string}
             */
            api_family: "payments_api" | "account_api";
            /**
             * @description What happened.
             * @example payment.success
             * @enum {string}
             */
            event: "payment.created" | "payment.success" | "payment.failed" | "payment.error" | "payment.late_approval_voided" | "payment.refund_requested" | "payment.refunded" | "payment.refund_rejected" | "payment.chargeback_pending" | "payment.chargeback_processed" | "payment.chargeback_released" | "payment.fraud_confirmed" | "withdrawal.pending" | "withdrawal.processing" | "withdrawal.held" | "withdrawal.released" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled" | "withdrawal.returned" | "trusted_card.created" | "trusted_card.verified" | "trusted_card.deleted" | "webhook.test" | "webhook.failing" | "webhook.disabled";
            /**
             * @description Without a gap, in the order of commits.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was written.
             * @example 2026-11-15T14:03:07.412Z
             */
            occurred_at: string;
            /**
             * @description The record, as it was after the change, as its own endpoint shows it; of a payment also `total_credited` and `currency_credited`, the net and its currency.
             * @example {
             *       "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
             *       "status": "success",
             *       "…": "…"
             *     }
             */
            data: {
                [key: string]: unknown;
            };
            /** @description The same for every kind of event. */
            meta: {
                /**
                 * @description What it is about; null where there is none.
                 * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
                 */
                transaction_id: string | null;
                /**
                 * @description Where it happened.
                 * @example sandbox
                 * @enum {string}
                 */
                environment: "live" | "sandbox";
                /**
                 * @description Whose it is.
                 * @example 1234567890
                 */
                account_number: string;
            };
        };
        /** ResentEvent */
        ResentEvent: {
            /**
             * @description Of the resend, not of the event; with gaps.
             * @example 3
             */
            number: number;
            /**
             * Format: date-time
             * @description When it was sent again.
             * @example 2026-11-15T14:03:07.412Z
             */
            resent_at: string;
            event: components["schemas"]["Event"];
        };
        /** Business */
        Business: {
            /**
             * @description What customers know it by.
             * @example Sea Grape Books
             */
            business_name: string | null;
            /**
             * @description Its own site.
             * @example https://seagrape.example.com
             */
            website: string | null;
            /**
             * @description Where customers write.
             * @example help@seagrape.example.com
             */
            support_email: string | null;
            /**
             * @description Where customers call.
             * @example +18686221234
             */
            support_phone: string | null;
            /**
             * @description Of buttons on its pages, as #rrggbb.
             * @example #0b5c66
             */
            accent_colour: string | null;
            /**
             * @description Of its days and times.
             * @example America/Port_of_Spain
             */
            time_zone: string | null;
            /**
             * @description Of its pages, where neither request nor browser says one.
             * @example en
             */
            language: ("en" | "es" | "fr" | "nl") | null;
            /**
             * @description Where the logo is.
             * @example null
             */
            logo_url: string | null;
        };
        /** Transaction */
        Transaction: {
            /**
             * @description Of the payment, from the request on; `SB-` in the sandbox.
             * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
             */
            transaction_id: string;
            /**
             * @description Your order.
             * @example order-1
             */
            order_id: string;
            /**
             * @description Where it was made.
             * @example sandbox
             * @enum {string}
             */
            environment: "live" | "sandbox";
            /**
             * @description The platform.
             * @example TT
             * @enum {string}
             */
            country_code: "BB" | "GD" | "GY" | "JM" | "TT";
            /**
             * @description Of every amount here.
             * @example TTD
             * @enum {string}
             */
            currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
            /**
             * @description What was asked for.
             * @example 100.00
             */
            total: string;
            /**
             * @description What the customer pays.
             * @example 105.20
             */
            customer_total: string;
            /**
             * @description What the payment costs.
             * @example 5.20
             */
            fee: string;
            /**
             * @description What the merchant gets.
             * @example 100.00
             */
            net: string;
            /**
             * @description Who pays the fee.
             * @example customer_pay
             * @enum {string}
             */
            fee_structure: "customer_pay" | "merchant_absorb" | "split";
            /**
             * @description The page that was asked for.
             * @example credit_card_co
             */
            method: string;
            /**
             * @description The application that asked.
             * @example my-shop
             */
            origin: string | null;
            /**
             * @description What became of it; `incomplete` until that is known.
             * @example success
             * @enum {string}
             */
            status: "incomplete" | "success" | "failed" | "error";
            /**
             * @description What became of it since.
             * @example Normal
             * @enum {string}
             */
            status_desc: "Normal" | "Refund Requested" | "Refunded" | "Refund Rejected" | "Chargeback Pending" | "Chargeback Processed" | "Fraud Confirmed";
            /**
             * @description The result in words; null until there is one.
             * @example [1-R00]: Transaction is approved.
             */
            message: string | null;
            /**
             * @description The card's network and its last four digits.
             * @example visa **** 1111
             */
            card: string | null;
            /** @description What the card's bank compared; null where it did not. */
            checks: {
                /**
                 * @description The billing address: `M` street and postal code match, `A` only the street, `Z` only the postal code, `N` neither, `G` the bank takes no part.
                 * @example M
                 */
                avs: ("M" | "A" | "Z" | "N" | "G") | null;
                /**
                 * @description The security code: `M` it matches, `N` it does not.
                 * @example M
                 */
                cvv: ("M" | "N") | null;
            };
            /**
             * @description What is known of who pays, under the names of the payment request.
             * @example {
             *       "email": "customer@example.com",
             *       "fname": "Anika",
             *       "lname": "Mohammed"
             *     }
             */
            customer: {
                /**
                 * @description As it was sent.
                 * @example customer@example.com
                 */
                email?: string;
                /**
                 * @description As it was sent.
                 * @example Anika
                 */
                fname?: string;
                /**
                 * @description As it was sent.
                 * @example Mohammed
                 */
                lname?: string;
                /**
                 * @description As it was sent.
                 * @example 1 Ariapita Avenue
                 */
                addr1?: string;
                /**
                 * @description As it was sent.
                 * @example Woodbrook
                 */
                addr2?: string;
                /**
                 * @description As it was sent.
                 * @example Port of Spain
                 */
                city?: string;
                /**
                 * @description As it was sent.
                 * @example TT-POS
                 */
                state?: string;
                /**
                 * @description As it was sent.
                 * @example 170516
                 */
                zipcode?: string;
                /**
                 * @description As it was sent.
                 * @example TT
                 */
                country?: string;
                /**
                 * @description As it was sent.
                 * @example +18686221234
                 */
                phone?: string;
            };
            /**
             * @description As it was sent, or empty.
             * @example cart 7
             */
            data: string;
            /**
             * @description As it was sent; null where it was not.
             * @example en
             */
            language: ("en" | "es" | "fr" | "nl") | null;
            /**
             * @description As it was sent; null where it was not.
             * @example Two paperbacks for Maya
             */
            description: string | null;
            /**
             * @description As they were sent; null where none were.
             * @example [
             *       {
             *         "name": "Sea Grape Stories, paperback",
             *         "quantity": 2,
             *         "unit_price": "45.00"
             *       },
             *       {
             *         "name": "Gift wrapping",
             *         "quantity": 1,
             *         "unit_price": "15.00"
             *       },
             *       {
             *         "name": "Voucher",
             *         "quantity": 1,
             *         "unit_price": "-5.00"
             *       }
             *     ]
             */
            items: {
                /**
                 * @description What it is.
                 * @example Sea Grape Stories, paperback
                 */
                name: string;
                /**
                 * @description How many.
                 * @example 2
                 */
                quantity: number;
                /**
                 * @description The price of one.
                 * @example 45.00
                 */
                unit_price: string;
            }[] | null;
            /**
             * @description The payment link it was asked for by.
             * @example null
             */
            payment_link: string | null;
            /**
             * @description What the customer typed for the link's `reference_label`.
             * @example null
             */
            link_reference: string | null;
            /**
             * @description Given back so far.
             * @example 0.00
             */
            refunded_total: string;
            /**
             * Format: date-time
             * @description When it was asked for.
             * @example 2026-11-15T14:03:07.412Z
             */
            created_at: string;
            /**
             * @description When there was a result.
             * @example 2026-11-15T14:04:11.090Z
             */
            finalised_at: string | null;
        };
        /** Refund */
        Refund: {
            /**
             * Format: uuid
             * @description Of this refund.
             * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
             */
            refund_id: string;
            /**
             * @description The payment that it gives back.
             * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
             */
            transaction_id: string;
            /**
             * @description Where the payment was made.
             * @example sandbox
             * @enum {string}
             */
            environment: "live" | "sandbox";
            /**
             * @description That of the payment.
             * @example TTD
             * @enum {string}
             */
            currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
            /**
             * @description What goes back to the customer.
             * @example 25.00
             */
            amount: string;
            /**
             * @description As it was sent.
             * @example Returned in its box.
             */
            reason: string | null;
            /**
             * @description What became of it.
             * @example requested
             * @enum {string}
             */
            status: "requested" | "refunded" | "rejected";
            /**
             * Format: date-time
             * @description When it was asked for.
             * @example 2026-11-15T14:03:07.412Z
             */
            created_at: string;
        };
        /** PaymentKeys */
        PaymentKeys: {
            /**
             * @description Whose results.
             * @example sandbox
             * @enum {string}
             */
            environment: "live" | "sandbox";
            /**
             * @description Goes into the MD5 hash of a success.
             * @example 123
             */
            hash_key?: string;
            /**
             * @description Keys the signature of results, and that of payment requests.
             * @example sandbox-signing-secret
             */
            signing_secret?: string;
            /**
             * @description Whether payment requests must be signed.
             * @example false
             */
            require_signature?: boolean;
        };
        /** SignatureRule */
        SignatureRule: {
            /**
             * @description Whose payment requests.
             * @example sandbox
             * @enum {string}
             */
            environment: "live" | "sandbox";
            /**
             * @description Whether they must be signed.
             * @example true
             */
            require_signature: boolean;
        };
        /** withdrawal_type.normal */
        "withdrawal_type.normal": {
            /**
             * @description To the account's own bank, to a bank account of somebody a main merchant pays, or to such a person without one. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            withdrawal_type: "normal";
            /**
             * @description One of the platform's.
             * @example TTD
             * @enum {string}
             */
            currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
            /**
             * @description The fee is taken beside it.
             * @example 100.00
             */
            amount: number | string;
            /**
             * @description Told back wherever the withdrawal is shown and in events, exactly as it was sent.
             * @default
             * @example {"batch":7}
             */
            data?: string;
            /**
             * @description Absent: live. May be given in the query instead.
             * @example sandbox
             * @enum {string}
             */
            environment?: "live" | "sandbox";
        };
        /** withdrawal_type.sub_banked */
        "withdrawal_type.sub_banked": {
            /**
             * @description To the account's own bank, to a bank account of somebody a main merchant pays, or to such a person without one. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            withdrawal_type: "sub_banked";
            /**
             * @description One of the platform's.
             * @example TTD
             * @enum {string}
             */
            currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
            /**
             * @description The fee is taken beside it.
             * @example 100.00
             */
            amount: number | string;
            /**
             * @description Told back wherever the withdrawal is shown and in events, exactly as it was sent.
             * @default
             * @example {"batch":7}
             */
            data?: string;
            /**
             * @description Absent: live. May be given in the query instead.
             * @example sandbox
             * @enum {string}
             */
            environment?: "live" | "sandbox";
            /**
             * Format: email
             * @description Of the payee.
             * @example kerry@example.com
             */
            email: string;
            /**
             * @description Of the payee, in E.164.
             * @example +18685550123
             */
            phone: string;
            /**
             * @description A bank of the platform, by the name that the metadata gives.
             * @example First Citizens
             */
            bank_name: string;
            /**
             * @description The account's number, leading zeros included; how many digits it has depends on the bank.
             * @example 0012345678
             */
            bank_account: string;
            /**
             * @description Whose account it is.
             * @example Kerry-Ann Joseph
             */
            name_in_bank: string;
            /**
             * @description The document that shows who is paid.
             * @example passport
             * @enum {string}
             */
            id_type: "passport" | "national_id" | "driver_permit";
            /**
             * @description By the pattern of its kind in the metadata.
             * @example TB123456
             */
            id_number: string;
            /**
             * @description Jamaica only, and required there. Elsewhere it is ignored.
             * @example savings
             * @enum {string}
             */
            bank_account_type?: "chequing" | "savings";
            /**
             * @description Jamaica only, and required there: a branch of that bank. Elsewhere it is ignored.
             * @example Half Way Tree
             */
            bank_branch?: string;
        };
        /** withdrawal_type.sub_unbanked */
        "withdrawal_type.sub_unbanked": {
            /**
             * @description To the account's own bank, to a bank account of somebody a main merchant pays, or to such a person without one. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            withdrawal_type: "sub_unbanked";
            /**
             * @description One of the platform's.
             * @example TTD
             * @enum {string}
             */
            currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
            /**
             * @description The fee is taken beside it.
             * @example 100.00
             */
            amount: number | string;
            /**
             * @description Told back wherever the withdrawal is shown and in events, exactly as it was sent.
             * @default
             * @example {"batch":7}
             */
            data?: string;
            /**
             * @description Absent: live. May be given in the query instead.
             * @example sandbox
             * @enum {string}
             */
            environment?: "live" | "sandbox";
            /**
             * @description Who is paid.
             * @example Kerry-Ann Joseph
             */
            recipient_name: string;
            /**
             * Format: email
             * @description Of the payee.
             * @example kerry@example.com
             */
            email: string;
            /**
             * @description Of the payee, in E.164.
             * @example +18685550123
             */
            phone: string;
            /**
             * @description The document that shows who is paid.
             * @example passport
             * @enum {string}
             */
            id_type: "passport" | "national_id" | "driver_permit";
            /**
             * @description By the pattern of its kind in the metadata.
             * @example TB123456
             */
            id_number: string;
        };
        /** Withdrawal */
        Withdrawal: {
            /**
             * @description Of the withdrawal; `SB-` in the sandbox.
             * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
             */
            transaction_id: string;
            /**
             * Format: uuid
             * @description What the bank knows it by.
             * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
             */
            reference: string;
            /**
             * @description Which of the three kinds.
             * @example normal
             * @enum {string}
             */
            withdrawal_type: "normal" | "sub_banked" | "sub_unbanked";
            /**
             * @description Whose money.
             * @example sandbox
             * @enum {string}
             */
            environment: "live" | "sandbox";
            /**
             * @description Of both amounts.
             * @example TTD
             * @enum {string}
             */
            currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
            /**
             * @description What is paid out.
             * @example 100.00
             */
            amount: string;
            /**
             * @description Taken beside the amount.
             * @example 5.00
             */
            fee: string;
            /**
             * @description How far it is; the metadata tells what it leads to.
             * @example pending
             * @enum {string}
             */
            status: "pending" | "processing" | "held" | "completed" | "failed" | "cancelled" | "returned";
            /**
             * @description The same in words, with the reason where there is one.
             * @example Asked for. Amount and fee are held, and no bank has been told.
             */
            status_description: string;
            /**
             * @description As it was sent, or empty.
             * @example {"batch":7}
             */
            data: string;
            /**
             * @description The bank that is paid.
             * @example First Citizens
             */
            bank_name: string | null;
            /**
             * @description The end of the account's number.
             * @example ****5678
             */
            bank_account: string | null;
            /**
             * @description Jamaica only.
             * @example null
             */
            bank_account_type: string | null;
            /**
             * @description Jamaica only.
             * @example null
             */
            bank_branch: string | null;
            /**
             * @description Whose account it is.
             * @example Marisol Baptiste
             */
            name_in_bank: string | null;
            /**
             * @description Who is paid without a bank.
             * @example null
             */
            recipient_name: string | null;
            /**
             * @description Of the payee; null for the account's own bank.
             * @example null
             */
            email: string | null;
            /**
             * @description Of the payee; null for the account's own bank.
             * @example null
             */
            phone: string | null;
            /**
             * @description Of the payee; null for the account's own bank.
             * @example null
             */
            id_type: string | null;
            /**
             * @description The end of the document's number.
             * @example null
             */
            id_number: string | null;
            /**
             * Format: date-time
             * @description When it was asked for.
             * @example 2026-11-15T14:03:07.412Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last moved.
             * @example 2026-11-15T14:03:07.412Z
             */
            updated_at: string;
            /**
             * @description When it was paid.
             * @example null
             */
            completed_at: string | null;
            /**
             * @description When its owner took it back.
             * @example null
             */
            deleted_at: string | null;
        };
        /** Bank */
        Bank: {
            /**
             * @description What is sent as `bank_name`.
             * @example First Citizens
             */
            name: string;
            /**
             * @description What to show to people.
             * @example First Citizens Bank
             */
            display_name: string;
            /** @description How many digits the bank's account numbers have. */
            account: {
                /**
                 * @description The fewest digits.
                 * @example 10
                 */
                min_length: number;
                /**
                 * @description The most digits.
                 * @example 10
                 */
                max_length: number;
            };
            /**
             * @description Jamaica only.
             * @example [
             *       "chequing",
             *       "savings"
             *     ]
             */
            account_types?: string[];
            /**
             * @description Jamaica only.
             * @example [
             *       "Half Way Tree"
             *     ]
             */
            branches?: string[];
        };
        /** WithdrawalStatus */
        WithdrawalStatus: {
            /**
             * @description The status.
             * @example pending
             * @enum {string}
             */
            value: "pending" | "processing" | "held" | "completed" | "failed" | "cancelled" | "returned";
            /**
             * @description What it means.
             * @example Asked for. Amount and fee are held, and no bank has been told.
             */
            description: string;
            /**
             * @description Whether it can be taken back.
             * @example true
             */
            cancellable: boolean;
            /**
             * @description Whether it stays so.
             * @example false
             */
            final: boolean;
            /**
             * @description What it may become.
             * @example [
             *       "processing",
             *       "held",
             *       "cancelled"
             *     ]
             */
            next: string[];
        };
        /** WebhookEndpoint */
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description Of the endpoint.
             * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
             */
            id: string;
            /**
             * @description Where events are sent.
             * @example https://shop.example.com/webhooks
             */
            url: string;
            /**
             * @description Whose events.
             * @example sandbox
             * @enum {string}
             */
            environment: "live" | "sandbox";
            /**
             * @description The events it is told of; `*`: every one.
             * @example [
             *       "payment.success",
             *       "payment.refunded"
             *     ]
             */
            events: string[];
            /**
             * @description A name to recognise it by.
             * @example Web shop
             */
            description: string | null;
            /**
             * @description Whether it is sent anything.
             * @example active
             * @enum {string}
             */
            status: "active" | "disabled";
            /**
             * @description asked: by its owner. gone: it answered 410. failing: 120 hours of nothing but failure.
             * @example null
             */
            disabled_because: ("asked" | "gone" | "failing") | null;
            /**
             * @description The first failure after which nothing succeeded.
             * @example null
             */
            failing_since: string | null;
            /**
             * @description Until when the secret before the last rotation still signs beside the new one.
             * @example null
             */
            previous_secret_until: string | null;
            /**
             * @description In the sandbox, how deliveries are answered at present instead of being sent.
             * @example null
             */
            simulated_receiver: ("ok" | "error" | "timeout" | "gone") | null;
            /**
             * @description Until when.
             * @example null
             */
            simulated_until: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-15T14:03:07.412Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its owner last changed it.
             * @example 2026-11-15T14:03:07.412Z
             */
            changed_at: string;
        };
        /** ListedRequest */
        ListedRequest: {
            /**
             * Format: uuid
             * @description `X-Request-Id` of the answer.
             * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
             */
            request_id: string;
            /**
             * Format: date-time
             * @description When the request began.
             * @example 2026-11-15T14:03:07.412Z
             */
            at: string;
            /**
             * @description Null for a bearer token, where the request names neither.
             * @example sandbox
             */
            environment: ("live" | "sandbox") | null;
            /**
             * @description Of HTTP.
             * @example POST
             */
            method: string;
            /**
             * @description As it was requested, without the query.
             * @example /plugins/payments/request
             */
            path: string;
            /**
             * @description Of the answer.
             * @example 400
             */
            status: number;
            /**
             * @description The error's code, as in `X-SVC-Error`; null for a success.
             * @example field_required
             */
            code: string | null;
            /**
             * @description Milliseconds from the request to its answer.
             * @example 12
             */
            duration_ms: number;
            /**
             * @description The `kid` of an API key, or `grant` and the id of a sign-in. Null for a payment request, which needs none.
             * @example 0f3a9c5e7b1d2468ac
             */
            credential: string | null;
            /**
             * @description Where it came from.
             * @example 203.0.113.7
             */
            address: string;
        };
        /** RequestExplanation */
        RequestExplanation: {
            /**
             * @description What happened.
             * @example A required field is absent or empty.
             */
            what_was_wrong: string;
            /**
             * @description What would have been right.
             * @example The order id field is required.
             */
            what_was_expected: string;
            /**
             * @description What to do about it.
             * @example Send order_id; an empty text is absent.
             */
            how_to_mend_it: string;
            /**
             * @description The field it is about, if it is about one.
             * @example order_id
             */
            field: string | null;
            /**
             * @description The page about this error.
             * @example https://api.example.com/docs/errors/field_required
             */
            documentation: string;
        };
        /** LoggedRequest */
        LoggedRequest: {
            /**
             * Format: uuid
             * @description `X-Request-Id` of the answer.
             * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
             */
            request_id: string;
            /**
             * Format: date-time
             * @description When the request began.
             * @example 2026-11-15T14:03:07.412Z
             */
            at: string;
            /**
             * @description Null for a bearer token, where the request names neither.
             * @example sandbox
             */
            environment: ("live" | "sandbox") | null;
            /**
             * @description Of HTTP.
             * @example POST
             */
            method: string;
            /**
             * @description As it was requested, without the query.
             * @example /plugins/payments/request
             */
            path: string;
            /**
             * @description Of the answer.
             * @example 400
             */
            status: number;
            /**
             * @description The error's code, as in `X-SVC-Error`; null for a success.
             * @example field_required
             */
            code: string | null;
            /**
             * @description Milliseconds from the request to its answer.
             * @example 12
             */
            duration_ms: number;
            /**
             * @description The `kid` of an API key, or `grant` and the id of a sign-in. Null for a payment request, which needs none.
             * @example 0f3a9c5e7b1d2468ac
             */
            credential: string | null;
            /**
             * @description Where it came from.
             * @example 203.0.113.7
             */
            address: string;
            /** @description What was sent. */
            request: {
                /**
                 * @description As it was sent; null without one.
                 * @example null
                 */
                query: string | null;
                /**
                 * @description Those that matter; never a credential or a cookie.
                 * @example {
                 *       "content-type": "application/json",
                 *       "user-agent": "shop/1.0"
                 *     }
                 */
                headers: {
                    [key: string]: string;
                };
                /**
                 * @description What was read of it, as JSON, up to 4 kB, with secrets masked. In brackets its type and size where it is something else. Null without one.
                 * @example {"account_number":"1234567890","total":"10.00"}
                 */
                body: string | null;
            };
            /** @description What was answered. */
            response: {
                /**
                 * @description Those that matter.
                 * @example {
                 *       "content-type": "application/json; charset=utf-8",
                 *       "x-svc-error": "field_required"
                 *     }
                 */
                headers: {
                    [key: string]: string;
                };
                /**
                 * @description In the same way.
                 * @example {"url":"","message":"The order id field is required.","transaction_id":""}
                 */
                body: string | null;
            };
            explanation: components["schemas"]["RequestExplanation"] | null;
        };
        /** Account */
        Account: {
            /**
             * @description Ten digits.
             * @example 6789012345
             */
            account_number: string;
            /**
             * @description What it may do.
             * @example PERSONAL
             * @enum {string}
             */
            account_type: "PERSONAL" | "BUSINESS";
            /**
             * @description What its owner signs in with.
             * @example shop@example.com
             */
            email: string;
            /**
             * @description The owner's.
             * @example Anika
             */
            first_name: string;
            /**
             * @description The owner's.
             * @example Mohammed
             */
            last_name: string;
            /**
             * @description In E.164 form.
             * @example +18686235555
             */
            phone: string | null;
            /**
             * @description Whether it takes live payments.
             * @example false
             */
            verified: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-15T14:03:07.412Z
             */
            created_at: string;
        };
        /** Balance */
        Balance: {
            /**
             * @description Of the three amounts.
             * @example TTD
             * @enum {string}
             */
            currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
            /**
             * @description All that is there.
             * @example 10000.00
             */
            balance: string;
            /**
             * @description What can be spent.
             * @example 10000.00
             */
            available: string;
            /**
             * @description What is promised to refunds, disputes and withdrawals.
             * @example 0.00
             */
            held: string;
        };
        /** Profile */
        Profile: {
            /**
             * @description Ten digits.
             * @example 1234567890
             */
            account_number: string;
            /**
             * @description Of the account.
             * @example BUSINESS
             * @enum {string}
             */
            account_type: "PERSONAL" | "BUSINESS";
            /**
             * @description The platform.
             * @example TT
             * @enum {string}
             */
            country_code: "BB" | "GD" | "GY" | "JM" | "TT";
            /**
             * @description What its owner signs in with.
             * @example merchant@example.com
             */
            email: string;
            /**
             * @description The owner's.
             * @example Marisol
             */
            first_name: string;
            /**
             * @description The owner's.
             * @example Baptiste
             */
            last_name: string;
            /**
             * @description In E.164 form.
             * @example null
             */
            phone: string | null;
            /**
             * @description Whether live payments are taken.
             * @example true
             */
            verified: boolean;
            /** @description In the platform's own currency, in US dollars, and in others. */
            balances: {
                local: components["schemas"]["Balance"];
                foreign: components["schemas"]["Balance"];
                /**
                 * @description Only while there is money in them.
                 * @example []
                 */
                others: components["schemas"]["Balance"][];
            };
            /** @description Whether there are bank details. */
            bank_configured: {
                /**
                 * @description In the own country.
                 * @example true
                 */
                local: boolean;
                /**
                 * @description Abroad, for US dollars.
                 * @example true
                 */
                foreign: boolean;
            };
            /**
             * @description Where the picture is.
             * @example null
             */
            profile_picture: string | null;
        };
        /** LocalBank */
        LocalBank: {
            /**
             * @description A bank of the account's platform, by the name that the withdrawal metadata gives.
             * @example First Citizens
             */
            bank_name: string;
            /**
             * @description The end of the number.
             * @example ****5678
             */
            bank_account: string;
            /**
             * @description Whose account it is, as the bank has it.
             * @example Anika Mohammed
             */
            name_in_bank: string;
            /**
             * @description Jamaica only, and required there: `chequing` or `savings`. Elsewhere it is ignored.
             * @example null
             */
            bank_account_type: string | null;
            /**
             * @description Jamaica only, and required there: a branch of that bank. Elsewhere it is ignored.
             * @example null
             */
            bank_branch: string | null;
        };
        /** ForeignBank */
        ForeignBank: {
            /**
             * @description Whose account it is.
             * @example Marisol Baptiste
             */
            beneficiary_name: string;
            /**
             * @description Where the account's holder lives.
             * @example 12 Frederick Street, Port of Spain
             */
            beneficiary_address: string;
            /**
             * @description The end of the number.
             * @example ****6789
             */
            beneficiary_account_number: string;
            /**
             * @description The bank that holds it.
             * @example First Example Bank
             */
            beneficiary_bank: string;
            /**
             * @description Where that bank is.
             * @example 1 Main Street, New York
             */
            bank_address: string;
            /**
             * @description The bank's SWIFT code (8 or 11 characters) or ABA routing number (9 digits).
             * @example CHASUS33
             */
            beneficiary_bank_swift_or_routing_code: string;
            /**
             * @description The bank that passes the money on.
             * @example null
             */
            intermediary_bank: string | null;
            /**
             * @description Where that one is.
             * @example null
             */
            intermediary_bank_address: string | null;
            /**
             * @description Its SWIFT code.
             * @example null
             */
            intermediary_bank_swift_code: string | null;
            /**
             * @description Its ABA routing number.
             * @example null
             */
            intermediary_bank_routing_number_or_aba: string | null;
        };
        /** NewWebhookEndpoint */
        NewWebhookEndpoint: {
            /**
             * Format: uuid
             * @description Of the endpoint.
             * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
             */
            id: string;
            /**
             * @description Where events are sent.
             * @example https://shop.example.com/webhooks
             */
            url: string;
            /**
             * @description Whose events.
             * @example sandbox
             * @enum {string}
             */
            environment: "live" | "sandbox";
            /**
             * @description The events it is told of; `*`: every one.
             * @example [
             *       "payment.success",
             *       "payment.refunded"
             *     ]
             */
            events: string[];
            /**
             * @description A name to recognise it by.
             * @example Web shop
             */
            description: string | null;
            /**
             * @description Whether it is sent anything.
             * @example active
             * @enum {string}
             */
            status: "active" | "disabled";
            /**
             * @description asked: by its owner. gone: it answered 410. failing: 120 hours of nothing but failure.
             * @example null
             */
            disabled_because: ("asked" | "gone" | "failing") | null;
            /**
             * @description The first failure after which nothing succeeded.
             * @example null
             */
            failing_since: string | null;
            /**
             * @description Until when the secret before the last rotation still signs beside the new one.
             * @example null
             */
            previous_secret_until: string | null;
            /**
             * @description In the sandbox, how deliveries are answered at present instead of being sent.
             * @example null
             */
            simulated_receiver: ("ok" | "error" | "timeout" | "gone") | null;
            /**
             * @description Until when.
             * @example null
             */
            simulated_until: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-15T14:03:07.412Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its owner last changed it.
             * @example 2026-11-15T14:03:07.412Z
             */
            changed_at: string;
            /**
             * @description Signs what is sent. Shown once: not even a replay shows it again.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
             */
            secret?: string;
        };
        /** DeliveryAttempt */
        DeliveryAttempt: {
            /**
             * @description Its number, from 1.
             * @example 1
             */
            attempt: number;
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-11-15T14:03:07.412Z
             */
            began_at: string;
            /**
             * @description How long it took; null while it is under way.
             * @example 84
             */
            duration_ms: number | null;
            /**
             * @description What was answered; null when nothing was.
             * @example 200
             */
            response_status: number | null;
            /**
             * @description The beginning of what was answered.
             * @example ok
             */
            response_head: string | null;
            /**
             * @description Why there was no answer, such as `timeout: …` or `connect_failed: …`. Null when there was one, whatever its status, and while the attempt is under way.
             * @example null
             */
            failure: string | null;
        };
        /** Delivery */
        Delivery: {
            /**
             * Format: uuid
             * @description Of the delivery.
             * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
             */
            id: string;
            /**
             * @description The event's name.
             * @example payment.success
             * @enum {string}
             */
            event: "payment.created" | "payment.success" | "payment.failed" | "payment.error" | "payment.late_approval_voided" | "payment.refund_requested" | "payment.refunded" | "payment.refund_rejected" | "payment.chargeback_pending" | "payment.chargeback_processed" | "payment.chargeback_released" | "payment.fraud_confirmed" | "withdrawal.pending" | "withdrawal.processing" | "withdrawal.held" | "withdrawal.released" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled" | "withdrawal.returned" | "trusted_card.created" | "trusted_card.verified" | "trusted_card.deleted" | "webhook.test" | "webhook.failing" | "webhook.disabled";
            /**
             * @description The event's `id`.
             * @example 019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70
             */
            event_id: string;
            /**
             * @description The event's `sequence`.
             * @example 2
             */
            sequence: number;
            /**
             * @description What became of it.
             * @example delivered
             * @enum {string}
             */
            state: "waiting" | "delivered" | "failed" | "cancelled";
            /**
             * @description All attempts, also those not shown.
             * @example 1
             */
            attempt_count: number;
            /** @description The latest 20, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** @description As it is sent now. */
            request: {
                /**
                 * @description Where it is sent.
                 * @example https://shop.example.com/webhooks
                 */
                url: string;
                /**
                 * @description Without times and signatures, which are of each attempt.
                 * @example {
                 *       "content-type": "application/json",
                 *       "user-agent": "Windward-Webhooks/1",
                 *       "webhook-id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
                 *       "webhook-timestamp": "",
                 *       "X-SVC-Webhook-Event": "payment.success",
                 *       "X-SVC-Webhook-Id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
                 *       "X-SVC-Webhook-Timestamp": "",
                 *       "X-SVC-Webhook-Version": "v1"
                 *     }
                 */
                headers: {
                    [key: string]: string;
                };
                /**
                 * @description Byte for byte what is signed and sent.
                 * @example {"id":"019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70","…":"…"}
                 */
                body: string;
            };
            /**
             * @description When it is tried again.
             * @example null
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When the event was numbered.
             * @example 2026-11-15T14:03:07.412Z
             */
            created_at: string;
            /**
             * @description When it was delivered, given up or cancelled.
             * @example 2026-11-15T14:03:07.412Z
             */
            ended_at: string | null;
        };
        /** PaymentAnswer */
        PaymentAnswer: {
            /**
             * @description Of the page to pay at; on failure, of the merchant's page.
             * @example https://pay.example.com/checkout/9vJx2Kc7
             */
            url: string;
            /**
             * @description `OK`, or what is wrong.
             * @example OK
             */
            message: string;
            /**
             * @description Keep it: everything is reconciled by it. Empty on failure.
             * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
             */
            transaction_id: string;
        };
        /** OpenedCheckout */
        OpenedCheckout: {
            /**
             * @description That it was done.
             * @constant
             */
            message: "OK";
            /**
             * Format: uri
             * @description Of the page, for the customer's browser.
             * @example https://pay.example.com/checkout/9vJx2Kc7
             */
            url: string;
            /**
             * @description Keep it: everything is reconciled by it.
             * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
             */
            transaction_id: string;
        };
        /** TrustedCard */
        TrustedCard: {
            /**
             * Format: uuid
             * @description Of the card. Keep it: it is how the card is charged, verified and deleted.
             * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
             */
            uuid: string;
            /**
             * @description Where it was saved.
             * @example sandbox
             * @enum {string}
             */
            environment: "live" | "sandbox";
            /**
             * @description Its network.
             * @example visa
             * @enum {string}
             */
            card_type: "visa" | "mastercard";
            /**
             * @description Its last four digits.
             * @example ************1111
             */
            pan: string;
            /**
             * @description The month in which it ends.
             * @example 12
             */
            exp_month: number;
            /**
             * @description The year.
             * @example 2029
             */
            exp_year: number;
            /**
             * @description As the customer wrote it.
             * @example Anika Mohammed
             */
            name: string;
            /**
             * @description Whether it may be charged.
             * @example true
             */
            verified: boolean;
            /**
             * Format: date-time
             * @description Until when it can be verified.
             * @example 2026-11-16T14:03:07.412Z
             */
            verify_expires_at: string;
            /**
             * Format: date-time
             * @description When it was saved.
             * @example 2026-11-15T14:03:07.412Z
             */
            created_at: string;
        };
        /** PaymentLink */
        PaymentLink: {
            /**
             * Format: uuid
             * @description Of the link.
             * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
             */
            id: string;
            /**
             * Format: uri
             * @description Give it to customers: by mail, on paper, in a message.
             * @example https://pay.example.com/pay/k7m2qx9sdh4vwp
             */
            url: string;
            /**
             * Format: uri
             * @description The same as a QR code, for print.
             * @example https://pay.example.com/pay/k7m2qx9sdh4vwp/qr.svg
             */
            qr_svg_url: string;
            /**
             * Format: uri
             * @description The same as a picture of pixels.
             * @example https://pay.example.com/pay/k7m2qx9sdh4vwp/qr.png
             */
            qr_png_url: string;
            /**
             * @description False: switched off.
             * @example true
             */
            active: boolean;
            /**
             * @description Whether it can be paid, and if not, why. Full: every slot is paid or being paid.
             * @example open
             * @enum {string}
             */
            state: "open" | "off" | "expired" | "full";
            /**
             * @description Where its payments are made.
             * @example sandbox
             * @enum {string}
             */
            environment: "live" | "sandbox";
            /**
             * @description What is paid for.
             * @example Yoga class
             */
            title: string;
            /**
             * @description Your own, to group links by. Customers do not see it.
             * @example Classes
             */
            label: string | null;
            /**
             * @description Of every amount here.
             * @example TTD
             * @enum {string}
             */
            currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
            /**
             * @description What is to be paid; null where the customer chooses.
             * @example 120.00
             */
            amount: string | null;
            /**
             * @description The least that may be chosen.
             * @example null
             */
            amount_min: string | null;
            /**
             * @description The most.
             * @example null
             */
            amount_max: string | null;
            /**
             * @description Shown under the title.
             * @example Saturdays at 7, by the jetty
             */
            description: string | null;
            /**
             * @description As they were sent; null where none were.
             * @example null
             */
            items: {
                /**
                 * @description What it is.
                 * @example Sea Grape Stories, paperback
                 */
                name: string;
                /**
                 * @description How many.
                 * @example 2
                 */
                quantity: number;
                /**
                 * @description The price of one.
                 * @example 45.00
                 */
                unit_price: string;
            }[] | null;
            /**
             * @description Who pays the fee.
             * @example customer_pay
             * @enum {string}
             */
            fee_structure: "customer_pay" | "merchant_absorb" | "split";
            /**
             * @description How often it may be paid; null: any number.
             * @example 20
             */
            max_payments: number | null;
            /**
             * @description When it closes; null: never.
             * @example null
             */
            expires_at: string | null;
            /**
             * @description What the customer is asked for.
             * @example Your name
             */
            reference_label: string | null;
            /**
             * @description What the customer reads after paying.
             * @example See you there!
             */
            success_message: string | null;
            /**
             * @description Where the browser goes after paying.
             * @example null
             */
            success_url: string | null;
            /**
             * @description Of its pages; null: the browser's.
             * @example null
             */
            language: ("en" | "es" | "fr" | "nl") | null;
            /**
             * @description Payments that succeeded.
             * @example 3
             */
            paid_count: number;
            /**
             * @description What was asked for in them. Refunds are not taken off.
             * @example 360.00
             */
            paid_total: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-11-15T14:03:07.412Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-11-15T14:03:07.412Z
             */
            changed_at: string;
        };
        /** SandboxClock */
        SandboxClock: {
            /**
             * Format: date-time
             * @description The sandbox's time.
             * @example 2026-12-18T12:00:00.000Z
             */
            now: string;
            /**
             * Format: date-time
             * @description The time of everybody else.
             * @example 2026-11-15T14:03:07.412Z
             */
            real_time: string;
            /**
             * @description How far the sandbox's time is ahead, in seconds.
             * @example 2592000
             */
            shift_seconds: number;
        };
        /** SandboxSnapshot */
        SandboxSnapshot: {
            /**
             * @description As it was given.
             * @example before-refunds
             */
            name: string;
            /**
             * Format: date-time
             * @description When it was made, in real time.
             * @example 2026-11-15T14:03:07.412Z
             */
            made_at: string;
            /**
             * Format: date-time
             * @description The sandbox's time in it.
             * @example 2026-11-15T14:03:07.412Z
             */
            now: string;
            /**
             * @description How far that was ahead.
             * @example 0
             */
            shift_seconds: number;
            /**
             * @description How much room it takes.
             * @example 12582912
             */
            bytes: number;
        };
        Error: {
            /**
             * @description One sentence that says what is wrong.
             * @example Not Found
             */
            message: string;
        };
        /** @description An error in the form of RFC 9457, for callers whose Accept prefers it to JSON. */
        Problem: {
            /**
             * Format: uri-reference
             * @description The page about this error.
             * @example /docs/errors/field_required
             */
            type: string;
            /**
             * @description A short name of the error.
             * @example Required field missing
             */
            title: string;
            /**
             * @description The status of the answer.
             * @example 400
             */
            status: number;
            /**
             * @description The message.
             * @example The refresh token field is required.
             */
            detail: string;
            code: components["schemas"]["ErrorCode"];
            /**
             * @description The field that it is about, as it is sent.
             * @example refresh_token
             */
            field?: string;
            /**
             * @description What to do about it, in one or two sentences.
             * @example Send refresh_token as text.
             */
            hint: string;
            /**
             * Format: uuid
             * @description The `X-Request-Id` of the answer.
             * @example 3f0c2b9e-8d41-4a7c-9a53-0b1e6f2d7c84
             */
            request_id: string;
            /**
             * @description The same as `detail`, as in the default body.
             * @example The refresh token field is required.
             */
            message: string;
            /**
             * @description Of a payment request: the merchant's page with the reason.
             * @example
             */
            url?: string;
            /**
             * @description Of a payment request: empty.
             * @example
             */
            transaction_id?: string;
            /**
             * @description Of a sign-in: the kind of error.
             * @example invalid_grant
             */
            error?: string;
            /**
             * @description Of a sign-in: the message.
             * @example The refresh token is invalid.
             */
            error_description?: string;
        };
        /**
         * @description A code of the catalogue at `/docs/errors`. Codes may be added.
         * @example field_required
         * @enum {string}
         */
        ErrorCode: "malformed_request" | "malformed_content" | "field_given_twice" | "content_too_complex" | "idempotency_key_invalid" | "unknown_path" | "not_found" | "method_not_allowed" | "request_timeout" | "idempotency_in_flight" | "body_too_large" | "unsupported_media_type" | "compressed_body" | "misdirected_request" | "idempotency_mismatch" | "too_many_attempts" | "headers_too_large" | "internal_error" | "unavailable" | "field_required" | "field_invalid" | "field_not_text" | "field_not_allowed" | "field_too_short" | "field_too_long" | "field_out_of_range" | "field_holds_card_number" | "fields_conflict" | "nothing_to_change" | "environment_of_key" | "credential_missing" | "two_credentials" | "api_key_in_authorization" | "bearer_token_required" | "token_expired" | "token_revoked" | "api_key_expired" | "api_key_revoked" | "credential_invalid" | "insufficient_scope" | "forbidden" | "invalid_credentials" | "invalid_grant" | "sandbox_key_refused" | "key_on_token_revocation" | "too_many_keys" | "key_already_revoked" | "key_already_rotated" | "key_already_expired" | "email_taken" | "account_frozen" | "own_account_stays" | "own_email_stays" | "owners_email_stays" | "account_must_stay_open" | "old_password_incorrect" | "no_bank_exists" | "bank_exists" | "no_picture" | "no_logo" | "picture_exists" | "reset_link_invalid" | "reset_form_refused" | "account_takes_no_payments" | "signature_required" | "signature_mismatch" | "order_id_taken" | "email_is_the_merchants" | "payment_link_closed" | "not_refundable" | "no_live_gateway" | "more_than_is_left" | "no_receipt" | "no_mail_sent" | "form_not_from_page" | "checkout_over" | "payment_form_refused" | "too_many_cards_tried" | "amount_incorrect" | "card_not_verified" | "card_expired" | "card_already_verified" | "card_is_being_charged" | "customer_data_in_use" | "insufficient_funds" | "no_bank_details" | "withdrawal_cannot_move" | "too_many_endpoints" | "address_taken" | "endpoint_disabled" | "endpoint_being_disabled" | "console_form_not_ours" | "console_form_stale" | "console_form_used" | "payee_list_invalid" | "console_session_over" | "console_form_refused" | "second_factor_refused" | "last_factor_stays" | "operator_refused" | "second_factor_needed" | "authenticator_stays" | "api_codes_need_authenticator" | "recovery_codes_need_a_factor" | "passkey_not_added" | "invitation_invalid" | "already_a_member" | "refund_beyond_role" | "holder_stays_owner" | "clock_runs_forward" | "clock_too_far_ahead" | "simulation_refused" | "snapshot_exists" | "too_many_snapshots" | "snapshots_unavailable";
    };
    responses: {
        /** @description The body did not arrive in time */
        BodyTooLate: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than 64 KiB */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is neither JSON nor form data, or it is compressed */
        UnknownMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Host header names a host that is not served here */
        Misdirected: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests within a minute; Retry-After says how long to wait */
        TooManyAttempts: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The header fields are too large or too many */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Our mistake; the X-Request-Id helps us find it */
        OurMistake: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Overloaded, stopping, or without its database; Retry-After says when to try again */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No credential, two of them, or an invalid one; WWW-Authenticate says more */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A field or the request is malformed; the sentence names the first that fails */
        Malformed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No credential, two of them, or an invalid one; WWW-Authenticate says more */
        UnauthorizedBearer: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credential lacks the scope */
        ScopeMissing: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credential lacks the scope, or is an API key of the sandbox */
        MayNotChange: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The file did not arrive within a minute */
        FileTooLate: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is compressed, or its Content-Type cannot be read */
        Compressed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-SVC-Version": components["headers"]["X-SVC-Version"];
                "X-SVC-Error": components["headers"]["X-SVC-Error"];
                Link: components["headers"]["Link"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The id of this request. Quote it when you report a problem.
         * @example 3f0c2b9e-8d41-4a7c-9a53-0b1e6f2d7c84
         */
        "X-Request-Id": string;
        /**
         * @description The version of the interface.
         * @example 2.0.5
         */
        "X-SVC-Version": "2.0.5";
        /**
         * @description How many requests a minute are allowed. Absent when the request was not counted.
         * @example 5
         */
        "X-RateLimit-Limit": number;
        /**
         * @description How many of them are left now.
         * @example 4
         */
        "X-RateLimit-Remaining": number;
        /**
         * @description `true`: this path, or a scope or method that was sent, is of an earlier version; see Link.
         * @example true
         */
        Deprecation: "true";
        /**
         * @description Of an error the page about it, `rel="help"`; of a deprecated path today's path, `rel="successor-version"`, with braces around what the request does not contain; of a deprecated value the guide that says what to send instead, `rel="deprecation"`.
         * @example </docs/errors/field_required>; rel="help"
         */
        Link: string;
        /**
         * @description The code of the error; `/docs/errors/<code>` says what it means and what to do.
         * @example field_required
         */
        "X-SVC-Error": components["schemas"]["ErrorCode"];
        /**
         * @description How many seconds to wait before the next try.
         * @example 12
         */
        "Retry-After": number;
        /**
         * @description What is missing, in the form of RFC 6750.
         * @example Bearer realm="svc", error="invalid_token", error_description="The access token has expired."
         */
        "WWW-Authenticate": string;
        /**
         * @description How long the answer may be cached.
         * @example public, max-age=3600
         */
        "Cache-Control": string;
        /**
         * @description `true` when this repeats the first answer and nothing was done again.
         * @example true
         */
        "Idempotent-Replayed": "true";
        /**
         * @description The headers of the request that decide the answer.
         * @example accept
         */
        Vary: string;
        /**
         * @description A file name.
         * @example attachment; filename="transactions.csv"
         */
        "Content-Disposition": string;
        /**
         * @description Identifies this answer; sent as If-None-Match it gets 304 until the answer changes.
         * @example "kZ0mP4fV1s3QxYb7Tn9a2w"
         */
        ETag: string;
        /**
         * @description Scripts of any origin may read this answer. Credentials are not accepted.
         * @example *
         */
        "Access-Control-Allow-Origin": "*";
        /**
         * @description The headers that such a script may read.
         * @example Deprecation, ETag, Idempotent-Replayed, Link, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id, X-SVC-Error, X-SVC-Version
         */
        "Access-Control-Expose-Headers": string;
        /**
         * @description Where the browser goes.
         * @example https://shop.example/paid?status=success
         */
        Location: string;
        /**
         * @description How the body is compressed.
         * @example gzip
         */
        "Content-Encoding": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "post-auth-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description The account's e-mail address.
                     * @example merchant@example.com
                     */
                    email: string;
                    /**
                     * @description The account's password.
                     * @example Sandbox-2026
                     */
                    password: string;
                    /**
                     * @description Scope names separated by spaces. Known are: svc-accounts-all, svc-accounts-create, svc-accounts-delete, svc-accounts-retrieve, svc-accounts-update, svc-links-all, svc-links-create, svc-links-retrieve, svc-links-update, svc-transactions-all, svc-transactions-retrieve, svc-transactions-get-fees, svc-transactions-refund-request, svc-trusted-cards-all, svc-trusted-cards-charge-request, svc-trusted-cards-create, svc-trusted-cards-delete, svc-trusted-cards-retrieve, svc-trusted-cards-verify, svc-user-all, svc-user-create, svc-user-delete, svc-user-retrieve, svc-user-update, svc-withdrawals-all, svc-withdrawals-create, svc-withdrawals-delete, svc-withdrawals-retrieve. The names of 1.x are understood.
                     * @example svc-user-all svc-transactions-retrieve
                     */
                    scopes: string;
                    /** @description A code of the holder's authenticator app, or a recovery code. Needed where the account asks for one; ignored elsewhere. */
                    otp?: string;
                };
            };
        };
        responses: {
            /** @description Signed in */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    Deprecation: components["headers"]["Deprecation"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "token_type": "Bearer",
                     *       "expires_in": 43200,
                     *       "access_token": "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl",
                     *       "refresh_token": "svc_rt_7Qm2XvT9bLk4Rz8WcPd1Yh6NsGf3JtAe5UoVi0BxKqD"
                     *     }
                     */
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "delete-auth-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked, on every process */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-auth-tokens-refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The refresh token of the last answer.
                     * @example svc_rt_7Qm2XvT9bLk4Rz8WcPd1Yh6NsGf3JtAe5UoVi0BxKqD
                     */
                    refresh_token: string;
                };
            };
        };
        responses: {
            /** @description A new pair */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "token_type": "Bearer",
                     *       "expires_in": 43200,
                     *       "access_token": "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl",
                     *       "refresh_token": "svc_rt_7Qm2XvT9bLk4Rz8WcPd1Yh6NsGf3JtAe5UoVi0BxKqD"
                     *     }
                     */
                    "application/json": components["schemas"]["Tokens"];
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-auth-whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credential */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "account_number": "1234567890",
                     *         "account_type": "BUSINESS",
                     *         "country_code": "TT",
                     *         "main_merchant": true,
                     *         "credential": "bearer",
                     *         "kid": null,
                     *         "environments": [
                     *           "live",
                     *           "sandbox"
                     *         ],
                     *         "scopes": [
                     *           "svc-user-all",
                     *           "svc-transactions-all"
                     *         ],
                     *         "expires_at": "2026-11-16T02:03:07.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["Credential"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-well-known-jwks-json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A JSON Web Key Set */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "OKP",
                     *           "crv": "Ed25519",
                     *           "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                     *           "kid": "2026-11-15",
                     *           "alg": "EdDSA",
                     *           "use": "sig"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description By RFC 7517, each with its `kid`.
                         * @example [
                         *       {
                         *         "kty": "OKP",
                         *         "crv": "Ed25519",
                         *         "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
                         *         "kid": "2026-11-15",
                         *         "alg": "EdDSA",
                         *         "use": "sig"
                         *       }
                         *     ]
                         */
                        keys: {
                            [key: string]: string;
                        }[];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-auth-keys": {
        parameters: {
            query?: {
                /**
                 * @description Which page.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many of them on a page.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, newest first */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "kid": "0f3a9c5e7b1d2468ac",
                     *           "name": "Web shop",
                     *           "environment": "sandbox",
                     *           "status": "active",
                     *           "scopes": [
                     *             "svc-user-all",
                     *             "svc-transactions-retrieve"
                     *           ],
                     *           "allowed_cidrs": [
                     *             "203.0.113.0/24"
                     *           ],
                     *           "created_at": "2026-11-15T14:03:07.412Z",
                     *           "expires_at": "2027-01-31T12:00:00Z",
                     *           "last_used_at": null,
                     *           "rotated_to": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "page_size": 20,
                     *         "total": 1,
                     *         "last_page": 1
                     *       },
                     *       "links": {
                     *         "first": "https://api.example.com/list?page=1&page_size=20",
                     *         "prev": null,
                     *         "next": null,
                     *         "last": "https://api.example.com/list?page=1&page_size=20"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description This page of them. */
                        data: components["schemas"]["ApiKey"][];
                        meta: components["schemas"]["PageMeta"];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-auth-keys": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description A name to recognise the key by.
                     * @example Web shop
                     */
                    name?: string;
                    /**
                     * @description Which data the key reaches. `test` is an older name of `sandbox`. May be given in the query instead.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment: "live" | "sandbox" | "test";
                    /**
                     * @description Scope names separated by spaces. Known are: svc-accounts-all, svc-accounts-create, svc-accounts-delete, svc-accounts-retrieve, svc-accounts-update, svc-links-all, svc-links-create, svc-links-retrieve, svc-links-update, svc-transactions-all, svc-transactions-retrieve, svc-transactions-get-fees, svc-transactions-refund-request, svc-trusted-cards-all, svc-trusted-cards-charge-request, svc-trusted-cards-create, svc-trusted-cards-delete, svc-trusted-cards-retrieve, svc-trusted-cards-verify, svc-user-all, svc-user-create, svc-user-delete, svc-user-retrieve, svc-user-update, svc-withdrawals-all, svc-withdrawals-create, svc-withdrawals-delete, svc-withdrawals-retrieve. The names of 1.x are understood.
                     * @example svc-user-all svc-transactions-retrieve
                     */
                    scopes: string | ("svc-accounts-all" | "svc-accounts-create" | "svc-accounts-delete" | "svc-accounts-retrieve" | "svc-accounts-update" | "svc-links-all" | "svc-links-create" | "svc-links-retrieve" | "svc-links-update" | "svc-transactions-all" | "svc-transactions-retrieve" | "svc-transactions-get-fees" | "svc-transactions-refund-request" | "svc-trusted-cards-all" | "svc-trusted-cards-charge-request" | "svc-trusted-cards-create" | "svc-trusted-cards-delete" | "svc-trusted-cards-retrieve" | "svc-trusted-cards-verify" | "svc-user-all" | "svc-user-create" | "svc-user-delete" | "svc-user-retrieve" | "svc-user-update" | "svc-withdrawals-all" | "svc-withdrawals-create" | "svc-withdrawals-delete" | "svc-withdrawals-retrieve")[];
                    /**
                     * @description Address ranges the key works from, IPv4 or IPv6, at most 50. Absent or empty: any address. A range that covers everything (/0) is refused; leave the list empty instead.
                     * @example [
                     *       "203.0.113.0/24",
                     *       "2001:db8::/48"
                     *     ]
                     */
                    allowed_cidrs?: string | string[];
                    /**
                     * Format: date-time
                     * @description When the key stops working. With a token that lacks `svc-user-all`: within 30 days, and after 30 days when it is absent.
                     * @example 2027-01-31T12:00:00Z
                     */
                    expires_at?: string;
                };
            };
        };
        responses: {
            /** @description The key and its record */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Created",
                     *       "data": {
                     *         "kid": "0f3a9c5e7b1d2468ac",
                     *         "name": "Web shop",
                     *         "environment": "sandbox",
                     *         "status": "active",
                     *         "scopes": [
                     *           "svc-user-all",
                     *           "svc-transactions-retrieve"
                     *         ],
                     *         "allowed_cidrs": [
                     *           "203.0.113.0/24"
                     *         ],
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "expires_at": "2027-01-31T12:00:00Z",
                     *         "last_used_at": null,
                     *         "rotated_to": null,
                     *         "key": "svc_test_0f3a9c5e7b1d2468ac_4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Created";
                        data: components["schemas"]["NewApiKey"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-auth-keys-kid": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `kid` of the key.
                 * @example 0f3a9c5e7b1d2468ac
                 */
                kid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "kid": "0f3a9c5e7b1d2468ac",
                     *         "name": "Web shop",
                     *         "environment": "sandbox",
                     *         "status": "active",
                     *         "scopes": [
                     *           "svc-user-all",
                     *           "svc-transactions-retrieve"
                     *         ],
                     *         "allowed_cidrs": [
                     *           "203.0.113.0/24"
                     *         ],
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "expires_at": "2027-01-31T12:00:00Z",
                     *         "last_used_at": null,
                     *         "rotated_to": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "delete-auth-keys-kid": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `kid` of the key.
                 * @example 0f3a9c5e7b1d2468ac
                 */
                kid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked, on every process */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "patch-auth-keys-kid": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `kid` of the key.
                 * @example 0f3a9c5e7b1d2468ac
                 */
                kid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description A name to recognise the key by.
                     * @example Web shop
                     */
                    name?: string;
                    /**
                     * @description Address ranges the key works from, IPv4 or IPv6, at most 50. Absent or empty: any address. A range that covers everything (/0) is refused; leave the list empty instead.
                     * @example [
                     *       "203.0.113.0/24",
                     *       "2001:db8::/48"
                     *     ]
                     */
                    allowed_cidrs?: string | string[];
                    /**
                     * @description When the key stops working, or `never`. With a token that lacks `svc-user-all`: within 30 days.
                     * @example 2027-06-30T12:00:00Z
                     */
                    expires_at?: string | "never";
                };
            };
        };
        responses: {
            /** @description The key as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "kid": "0f3a9c5e7b1d2468ac",
                     *         "name": "Web shop",
                     *         "environment": "sandbox",
                     *         "status": "active",
                     *         "scopes": [
                     *           "svc-user-all",
                     *           "svc-transactions-retrieve"
                     *         ],
                     *         "allowed_cidrs": [
                     *           "203.0.113.0/24"
                     *         ],
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "expires_at": "2027-01-31T12:00:00Z",
                     *         "last_used_at": null,
                     *         "rotated_to": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["ApiKey"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-auth-keys-kid-rotate": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The `kid` of the key.
                 * @example 0f3a9c5e7b1d2468ac
                 */
                kid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description How long the old key lives on. 0 ends it at once.
                     * @default 0
                     * @example 3600
                     */
                    overlap_seconds?: number;
                };
            };
        };
        responses: {
            /** @description The new key and its record */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Created",
                     *       "data": {
                     *         "kid": "0f3a9c5e7b1d2468ac",
                     *         "name": "Web shop",
                     *         "environment": "sandbox",
                     *         "status": "active",
                     *         "scopes": [
                     *           "svc-user-all",
                     *           "svc-transactions-retrieve"
                     *         ],
                     *         "allowed_cidrs": [
                     *           "203.0.113.0/24"
                     *         ],
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "expires_at": "2027-01-31T12:00:00Z",
                     *         "last_used_at": null,
                     *         "rotated_to": null,
                     *         "key": "svc_test_0f3a9c5e7b1d2468ac_4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d4d"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Created";
                        data: components["schemas"]["NewApiKey"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-events": {
        parameters: {
            query?: {
                /**
                 * @description Absent: that of the API key, or live with a bearer token.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
                /**
                 * @description The `sequence` of the last event that is known already.
                 * @example 0
                 */
                after?: number;
                /**
                 * @description How many of them on a page.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
                     *           "api_family": "payments_api",
                     *           "event": "payment.success",
                     *           "sequence": 2,
                     *           "occurred_at": "2026-11-15T14:03:07.412Z",
                     *           "data": {
                     *             "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
                     *             "status": "success",
                     *             "…": "…"
                     *           },
                     *           "meta": {
                     *             "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
                     *             "environment": "sandbox",
                     *             "account_number": "1234567890"
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "after": 0,
                     *         "page_size": 20,
                     *         "last_sequence": 2
                     *       },
                     *       "links": {
                     *         "first": "https://api.example.com/events?after=0&page_size=20",
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description Oldest first. */
                        data: components["schemas"]["Event"][];
                        /** @description Where this page stands. */
                        meta: {
                            /**
                             * @description As it was asked.
                             * @example 0
                             */
                            after: number;
                            /**
                             * @description As it was asked.
                             * @example 20
                             */
                            page_size: number;
                            /**
                             * @description That of the newest event, 0 without any.
                             * @example 2
                             */
                            last_sequence: number;
                        };
                        /** @description Other pages. */
                        links: {
                            /**
                             * @description The beginning of the feed.
                             * @example https://api.example.com/events?after=0&page_size=20
                             */
                            first: string;
                            /**
                             * @description What comes after; null at the end.
                             * @example null
                             */
                            next: string | null;
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-events-resent": {
        parameters: {
            query?: {
                /**
                 * @description Absent: that of the API key, or live with a bearer token.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
                /**
                 * @description The `number` of the last one that is known already.
                 * @example 0
                 */
                after?: number;
                /**
                 * @description How many of them on a page.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "number": 3,
                     *           "resent_at": "2026-11-15T14:03:07.412Z",
                     *           "event": {
                     *             "id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
                     *             "api_family": "payments_api",
                     *             "event": "payment.success",
                     *             "sequence": 2,
                     *             "occurred_at": "2026-11-15T14:03:07.412Z",
                     *             "data": {
                     *               "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
                     *               "status": "success",
                     *               "…": "…"
                     *             },
                     *             "meta": {
                     *               "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
                     *               "environment": "sandbox",
                     *               "account_number": "1234567890"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "after": 0,
                     *         "page_size": 20,
                     *         "last_number": 3
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description Oldest first. */
                        data: components["schemas"]["ResentEvent"][];
                        /** @description Where this page stands. */
                        meta: {
                            /**
                             * @description As it was asked.
                             * @example 0
                             */
                            after: number;
                            /**
                             * @description As it was asked.
                             * @example 20
                             */
                            page_size: number;
                            /**
                             * @description That of the newest one, 0 without any.
                             * @example 3
                             */
                            last_number: number;
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-events-id-resend": {
        parameters: {
            query?: {
                /**
                 * @description Absent: that of the API key, or live with a bearer token. May be given in the body instead.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The event's `id`.
                 * @example 019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is in the list */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Accepted",
                     *       "data": {
                     *         "id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Accepted";
                        /** @description What was asked for. */
                        data: {
                            /**
                             * @description The event's.
                             * @example 019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70
                             */
                            id: string;
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-user-picture": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file, of at most 5 MB.
                     */
                    picture: Blob;
                    /**
                     * @description For clients that cannot send a file with PATCH.
                     * @constant
                     */
                    _method?: "PATCH";
                };
            };
        };
        responses: {
            /** @description With `_method` PATCH: replaced */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Added */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Created"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Created";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "delete-user-picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "patch-user-picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file, of at most 5 MB.
                     */
                    picture: Blob;
                };
            };
        };
        responses: {
            /** @description Replaced */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-pictures-picture-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From the profile.
                 * @example 9f2c5e1b7a3d4c68b0f1e2d3c4a5968f
                 */
                picture_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-user-business": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What customers see */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "business_name": "Sea Grape Books",
                     *         "website": "https://seagrape.example.com",
                     *         "support_email": "help@seagrape.example.com",
                     *         "support_phone": "+18686221234",
                     *         "accent_colour": "#0b5c66",
                     *         "time_zone": "America/Port_of_Spain",
                     *         "language": "en",
                     *         "logo_url": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["Business"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "patch-user-business": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description What customers know it by: on the payment page, receipts and links.
                     * @example Sea Grape Books
                     */
                    business_name?: string | null;
                    /**
                     * Format: uri
                     * @description Its own site.
                     * @example https://seagrape.example.com
                     */
                    website?: string | null;
                    /**
                     * Format: email
                     * @description Where customers write; receipts show it.
                     * @example help@seagrape.example.com
                     */
                    support_email?: string | null;
                    /**
                     * @description Where customers call, in E.164 form, of any country.
                     * @example +18686221234
                     */
                    support_phone?: string | null;
                    /**
                     * @description Of the buttons of its pages, as #rrggbb. Text on it is black or white.
                     * @example #0b5c66
                     */
                    accent_colour?: string | null;
                    /**
                     * @description Of its days and times, by its IANA name. Without it that of the platform.
                     * @example America/Port_of_Spain
                     */
                    time_zone?: string | null;
                    /**
                     * @description Of its pages and mails, where neither the payment request nor the browser says one.
                     * @example en
                     * @enum {string|null}
                     */
                    language?: "en" | "es" | "fr" | "nl" | null;
                };
            };
        };
        responses: {
            /** @description The profile as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "business_name": "Sea Grape Books",
                     *         "website": "https://seagrape.example.com",
                     *         "support_email": "help@seagrape.example.com",
                     *         "support_phone": "+18686221234",
                     *         "accent_colour": "#0b5c66",
                     *         "time_zone": "America/Port_of_Spain",
                     *         "language": "en",
                     *         "logo_url": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["Business"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-user-logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The file, of at most 5 MB.
                     */
                    logo: Blob;
                };
            };
        };
        responses: {
            /** @description Replaced */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Added */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Created"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Created";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "delete-user-logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-logos-logo-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description From the profile.
                 * @example 9f2c5e1b7a3d4c68b0f1e2d3c4a5968f
                 */
                logo_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The logo */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-transactions": {
        parameters: {
            query?: {
                /**
                 * @description Absent: that of the API key, or live with a bearer token.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
                /**
                 * @description Only those with this result.
                 * @example success
                 */
                status?: "incomplete" | "success" | "failed" | "error";
                /**
                 * @description Only those in this currency.
                 * @example TTD
                 */
                currency?: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                /**
                 * @description Every attempt to pay this order.
                 * @example order-1
                 */
                order_id?: string;
                /**
                 * @description The first day, in UTC.
                 * @example 2026-11-01
                 */
                start_date?: string;
                /**
                 * @description The last day, in UTC.
                 * @example 2026-11-30
                 */
                end_date?: string;
                /**
                 * @description The least total that was asked for, at most 2 decimal places, whatever its currency.
                 * @example 10.00
                 */
                total_min?: number | string;
                /**
                 * @description The greatest total that was asked for.
                 * @example 250.00
                 */
                total_max?: number | string;
                /**
                 * @description Only those that this payment link asked for.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                payment_link?: string;
                /**
                 * @description Which page.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many of them on a page.
                 * @example 20
                 */
                page_size?: number;
                /**
                 * @description Taken from a link of an earlier answer: the pages are those of that moment, and no row is missed or repeated while new ones come.
                 * @example MSBBQUFBQUFBQSA0MQ
                 */
                as_of?: string;
                /**
                 * @description Instead of the Accept header.
                 * @example json
                 */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transactions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    Vary: components["headers"]["Vary"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
                     *           "order_id": "order-1",
                     *           "environment": "sandbox",
                     *           "country_code": "TT",
                     *           "currency": "TTD",
                     *           "total": "100.00",
                     *           "customer_total": "105.20",
                     *           "fee": "5.20",
                     *           "net": "100.00",
                     *           "fee_structure": "customer_pay",
                     *           "method": "credit_card_co",
                     *           "origin": "my-shop",
                     *           "status": "success",
                     *           "status_desc": "Normal",
                     *           "message": "[1-R00]: Transaction is approved.",
                     *           "card": "visa **** 1111",
                     *           "checks": {
                     *             "avs": "M",
                     *             "cvv": "M"
                     *           },
                     *           "customer": {
                     *             "email": "customer@example.com",
                     *             "fname": "Anika",
                     *             "lname": "Mohammed"
                     *           },
                     *           "data": "cart 7",
                     *           "language": "en",
                     *           "description": "Two paperbacks for Maya",
                     *           "items": [
                     *             {
                     *               "name": "Sea Grape Stories, paperback",
                     *               "quantity": 2,
                     *               "unit_price": "45.00"
                     *             },
                     *             {
                     *               "name": "Gift wrapping",
                     *               "quantity": 1,
                     *               "unit_price": "15.00"
                     *             },
                     *             {
                     *               "name": "Voucher",
                     *               "quantity": 1,
                     *               "unit_price": "-5.00"
                     *             }
                     *           ],
                     *           "payment_link": null,
                     *           "link_reference": null,
                     *           "refunded_total": "0.00",
                     *           "created_at": "2026-11-15T14:03:07.412Z",
                     *           "finalised_at": "2026-11-15T14:04:11.090Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "page_size": 20,
                     *         "total": 1,
                     *         "last_page": 1
                     *       },
                     *       "links": {
                     *         "first": "https://api.example.com/list?page=1&page_size=20",
                     *         "prev": null,
                     *         "next": null,
                     *         "last": "https://api.example.com/list?page=1&page_size=20"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description This page of them. */
                        data: components["schemas"]["Transaction"][];
                        meta: components["schemas"]["PageMeta"];
                        links: components["schemas"]["PageLinks"];
                    };
                    "text/csv": string;
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-transactions-fees": {
        parameters: {
            query: {
                /**
                 * @description Who pays the fee.
                 * @example split
                 */
                fee_structure: "customer_pay" | "merchant_absorb" | "split";
                /**
                 * @description One of the two of the caller's platform.
                 * @example USD
                 */
                currency: string;
                /**
                 * @description Within the currency's limits, which are in the metadata.
                 * @example 100.00
                 */
                amount: number | string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The fee, its parts and who pays them */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "fee_structure": "split",
                     *         "currency": "USD",
                     *         "amount": "100.00",
                     *         "fee": {
                     *           "percentage": "3.50",
                     *           "fixed": "0.25",
                     *           "tax": "0.00",
                     *           "total": "3.75"
                     *         },
                     *         "customer": {
                     *           "fee": "1.88",
                     *           "total": "101.88"
                     *         },
                     *         "merchant": {
                     *           "fee": "1.87",
                     *           "net": "98.13"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description What was asked for. */
                        data: {
                            /**
                             * @description Who pays the fee.
                             * @example split
                             * @enum {string}
                             */
                            fee_structure: "customer_pay" | "merchant_absorb" | "split";
                            /**
                             * @description Of every amount here.
                             * @example USD
                             */
                            currency: string;
                            /**
                             * @description What would be asked for.
                             * @example 100.00
                             */
                            amount: string;
                            /** @description What the payment costs. */
                            fee: {
                                /**
                                 * @description The part that grows with the amount.
                                 * @example 3.50
                                 */
                                percentage: string;
                                /**
                                 * @description The part that does not.
                                 * @example 0.25
                                 */
                                fixed: string;
                                /**
                                 * @description The tax on both.
                                 * @example 0.00
                                 */
                                tax: string;
                                /**
                                 * @description All of it.
                                 * @example 3.75
                                 */
                                total: string;
                            };
                            /** @description For who pays. */
                            customer: {
                                /**
                                 * @description The customer's share of the fee.
                                 * @example 1.88
                                 */
                                fee: string;
                                /**
                                 * @description What the customer pays.
                                 * @example 101.88
                                 */
                                total: string;
                            };
                            /** @description For who is paid. */
                            merchant: {
                                /**
                                 * @description The merchant's share of the fee.
                                 * @example 1.87
                                 */
                                fee: string;
                                /**
                                 * @description What the merchant gets.
                                 * @example 98.13
                                 */
                                net: string;
                            };
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-transactions-meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Currencies, environments, fee structures, limits */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "currencies": [
                     *           "TTD",
                     *           "USD"
                     *         ],
                     *         "environments": [
                     *           "live",
                     *           "sandbox"
                     *         ],
                     *         "fee_structures": [
                     *           "customer_pay",
                     *           "merchant_absorb",
                     *           "split"
                     *         ],
                     *         "totals": {
                     *           "TTD": {
                     *             "minimum": 5,
                     *             "maximum": 20400
                     *           },
                     *           "USD": {
                     *             "minimum": 0.74,
                     *             "maximum": 3000
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description What was asked for. */
                        data: {
                            /**
                             * @description The two of the caller's platform.
                             * @example [
                             *       "TTD",
                             *       "USD"
                             *     ]
                             */
                            currencies: string[];
                            /**
                             * @description Where a payment may be made.
                             * @example [
                             *       "live",
                             *       "sandbox"
                             *     ]
                             */
                            environments: string[];
                            /**
                             * @description Who may pay the fee.
                             * @example [
                             *       "customer_pay",
                             *       "merchant_absorb",
                             *       "split"
                             *     ]
                             */
                            fee_structures: string[];
                            /**
                             * @description By currency.
                             * @example {
                             *       "TTD": {
                             *         "minimum": 5,
                             *         "maximum": 20400
                             *       },
                             *       "USD": {
                             *         "minimum": 0.74,
                             *         "maximum": 3000
                             *       }
                             *     }
                             */
                            totals: {
                                [key: string]: {
                                    /** @description The least that may be asked for. */
                                    minimum: number;
                                    /** @description The most. */
                                    maximum: number;
                                };
                            };
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-transactions-transaction-id": {
        parameters: {
            query?: {
                /**
                 * @description Absent: the one that the id names, as far as the credential reaches.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                /**
                 * @description Of the payment.
                 * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
                 */
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
                     *         "order_id": "order-1",
                     *         "environment": "sandbox",
                     *         "country_code": "TT",
                     *         "currency": "TTD",
                     *         "total": "100.00",
                     *         "customer_total": "105.20",
                     *         "fee": "5.20",
                     *         "net": "100.00",
                     *         "fee_structure": "customer_pay",
                     *         "method": "credit_card_co",
                     *         "origin": "my-shop",
                     *         "status": "success",
                     *         "status_desc": "Normal",
                     *         "message": "[1-R00]: Transaction is approved.",
                     *         "card": "visa **** 1111",
                     *         "checks": {
                     *           "avs": "M",
                     *           "cvv": "M"
                     *         },
                     *         "customer": {
                     *           "email": "customer@example.com",
                     *           "fname": "Anika",
                     *           "lname": "Mohammed"
                     *         },
                     *         "data": "cart 7",
                     *         "language": "en",
                     *         "description": "Two paperbacks for Maya",
                     *         "items": [
                     *           {
                     *             "name": "Sea Grape Stories, paperback",
                     *             "quantity": 2,
                     *             "unit_price": "45.00"
                     *           },
                     *           {
                     *             "name": "Gift wrapping",
                     *             "quantity": 1,
                     *             "unit_price": "15.00"
                     *           },
                     *           {
                     *             "name": "Voucher",
                     *             "quantity": 1,
                     *             "unit_price": "-5.00"
                     *           }
                     *         ],
                     *         "payment_link": null,
                     *         "link_reference": null,
                     *         "refunded_total": "0.00",
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "finalised_at": "2026-11-15T14:04:11.090Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["Transaction"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-transactions-transaction-id-refund": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Of the payment.
                 * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
                 */
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Absent: the one that the id names, as far as the credential reaches. May be given in the query instead.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment?: "live" | "sandbox";
                    /**
                     * @description In the transaction's currency. Absent: all that is left of what the customer paid.
                     * @example 25.00
                     */
                    amount?: number | string;
                    /**
                     * @description For the merchant's own books.
                     * @example Returned in its box.
                     */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The refund has been asked for, and the funds are held */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Refund request successfully created.",
                     *       "data": {
                     *         "refund": {
                     *           "refund_id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *           "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
                     *           "environment": "sandbox",
                     *           "currency": "TTD",
                     *           "amount": "25.00",
                     *           "reason": "Returned in its box.",
                     *           "status": "requested",
                     *           "created_at": "2026-11-15T14:03:07.412Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Refund request successfully created.";
                        /** @description What was asked for. */
                        data: {
                            refund: components["schemas"]["Refund"];
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-transactions-transaction-id-receipt": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Of the payment.
                 * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
                 */
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Absent: the one that the id names, as far as the credential reaches. May be given in the query instead.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment?: "live" | "sandbox";
                    /**
                     * Format: email
                     * @description Absent: the customer's. Of a sandbox payment, where mail leaves the service: a member's.
                     * @example customer@example.com
                     */
                    email?: string;
                };
            };
        };
        responses: {
            /** @description The receipt is being sent */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Accepted",
                     *       "data": {
                     *         "email": "customer@example.com",
                     *         "url": "https://pay.example.com/receipts/SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0.4f1x"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Accepted";
                        /** @description What was asked for. */
                        data: {
                            /**
                             * @description Where it goes.
                             * @example customer@example.com
                             */
                            email: string;
                            /**
                             * Format: uri
                             * @description The receipt as a page. Only people who have this address can open it.
                             * @example https://pay.example.com/receipts/SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0.4f1x
                             */
                            url: string;
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-user-payment-key": {
        parameters: {
            query?: {
                /**
                 * @description Whose results: each environment has its own keys.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "environment": "sandbox",
                     *         "hash_key": "123",
                     *         "signing_secret": "sandbox-signing-secret",
                     *         "require_signature": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["PaymentKeys"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "patch-user-payment-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Whose requests; no default. May be given in the query instead.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment: "live" | "sandbox";
                    /**
                     * @description Whether they must be signed.
                     * @example true
                     */
                    require_signature: boolean;
                };
            };
        };
        responses: {
            /** @description As it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "environment": "sandbox",
                     *         "require_signature": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["SignatureRule"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-user-payment-key-rotate": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Whose keys; no default, on purpose. May be given in the query instead.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment: "live" | "sandbox";
                };
            };
        };
        responses: {
            /** @description The new keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "environment": "sandbox",
                     *         "hash_key": "123",
                     *         "signing_secret": "sandbox-signing-secret",
                     *         "require_signature": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["PaymentKeys"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-withdrawals": {
        parameters: {
            query?: {
                /**
                 * @description Absent: that of the API key, or live with a bearer token.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
                /**
                 * @description Only those in this currency.
                 * @example TTD
                 */
                currency?: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                /**
                 * @description May be repeated: any of them.
                 * @example [
                 *       "normal"
                 *     ]
                 */
                withdrawal_type?: ("normal" | "sub_banked" | "sub_unbanked")[];
                /**
                 * @description May be repeated: any of them.
                 * @example [
                 *       "pending",
                 *       "processing"
                 *     ]
                 */
                status?: ("pending" | "processing" | "held" | "completed" | "failed" | "cancelled" | "returned")[];
                /**
                 * @description The least amount, at most 2 decimal places, whatever its currency.
                 * @example 10.00
                 */
                amount_min?: number | string;
                /**
                 * @description The greatest amount.
                 * @example 250.00
                 */
                amount_max?: number | string;
                /**
                 * @description The one that the bank knows by this reference.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                reference?: string;
                /**
                 * @description The one of this id.
                 * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
                 */
                transaction_id?: string;
                /**
                 * @description The first day, in UTC.
                 * @example 2026-11-01
                 */
                start_date?: string;
                /**
                 * @description The last day, in UTC.
                 * @example 2026-11-30
                 */
                end_date?: string;
                /**
                 * @description Whether those that were cancelled are shown too.
                 * @example true
                 */
                with_deleted?: boolean;
                /**
                 * @description Which page.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many of them on a page.
                 * @example 20
                 */
                page_size?: number;
                /**
                 * @description Taken from a link of an earlier answer: the pages are those of that moment, and no row is missed or repeated while new ones come.
                 * @example MSBBQUFBQUFBQSA0MQ
                 */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The withdrawals */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
                     *           "reference": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *           "withdrawal_type": "normal",
                     *           "environment": "sandbox",
                     *           "currency": "TTD",
                     *           "amount": "100.00",
                     *           "fee": "5.00",
                     *           "status": "pending",
                     *           "status_description": "Asked for. Amount and fee are held, and no bank has been told.",
                     *           "data": "{\"batch\":7}",
                     *           "bank_name": "First Citizens",
                     *           "bank_account": "****5678",
                     *           "bank_account_type": null,
                     *           "bank_branch": null,
                     *           "name_in_bank": "Marisol Baptiste",
                     *           "recipient_name": null,
                     *           "email": null,
                     *           "phone": null,
                     *           "id_type": null,
                     *           "id_number": null,
                     *           "created_at": "2026-11-15T14:03:07.412Z",
                     *           "updated_at": "2026-11-15T14:03:07.412Z",
                     *           "completed_at": null,
                     *           "deleted_at": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "page_size": 20,
                     *         "total": 1,
                     *         "last_page": 1
                     *       },
                     *       "links": {
                     *         "first": "https://api.example.com/list?page=1&page_size=20",
                     *         "prev": null,
                     *         "next": null,
                     *         "last": "https://api.example.com/list?page=1&page_size=20"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description This page of them. */
                        data: components["schemas"]["Withdrawal"][];
                        meta: components["schemas"]["PageMeta"];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-withdrawals": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["withdrawal_type.normal"] | components["schemas"]["withdrawal_type.sub_banked"] | components["schemas"]["withdrawal_type.sub_unbanked"];
            };
        };
        responses: {
            /** @description Asked for, and the money is held */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Created",
                     *       "data": {
                     *         "data": "{\"batch\":7}",
                     *         "reference": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Created";
                        /** @description What was asked for. */
                        data: {
                            /**
                             * @description As it was sent; empty when it was not.
                             * @example {"batch":7}
                             */
                            data: string;
                            /**
                             * Format: uuid
                             * @description What the bank knows it by.
                             * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                             */
                            reference: string;
                            /**
                             * @description Of the withdrawal.
                             * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
                             */
                            transaction_id: string;
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-withdrawals-transaction-id": {
        parameters: {
            query?: {
                /**
                 * @description Absent: the one that the id names, as far as the credential reaches.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                /**
                 * @description Of the withdrawal.
                 * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
                 */
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The withdrawal */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
                     *         "reference": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "withdrawal_type": "normal",
                     *         "environment": "sandbox",
                     *         "currency": "TTD",
                     *         "amount": "100.00",
                     *         "fee": "5.00",
                     *         "status": "pending",
                     *         "status_description": "Asked for. Amount and fee are held, and no bank has been told.",
                     *         "data": "{\"batch\":7}",
                     *         "bank_name": "First Citizens",
                     *         "bank_account": "****5678",
                     *         "bank_account_type": null,
                     *         "bank_branch": null,
                     *         "name_in_bank": "Marisol Baptiste",
                     *         "recipient_name": null,
                     *         "email": null,
                     *         "phone": null,
                     *         "id_type": null,
                     *         "id_number": null,
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "updated_at": "2026-11-15T14:03:07.412Z",
                     *         "completed_at": null,
                     *         "deleted_at": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["Withdrawal"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "delete-withdrawals-transaction-id": {
        parameters: {
            query?: {
                /**
                 * @description Absent: the one that the id names, as far as the credential reaches. May be given in the body instead.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                /**
                 * @description Of the withdrawal.
                 * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
                 */
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancelled */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-withdrawals-meta": {
        parameters: {
            query?: {
                /**
                 * @description The platform; absent: the caller's, or TT for who is not signed in.
                 * @example JM
                 */
                country_code?: "BB" | "GD" | "GY" | "JM" | "TT";
            };
            header?: {
                /**
                 * @description The ETag of an answer that you have: 304 when it has not changed.
                 * @example "kZ0mP4fV1s3QxYb7Tn9a2w"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Banks, documents, statuses, kinds, fees and minimums */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "banks": [
                     *           {
                     *             "name": "First Citizens",
                     *             "display_name": "First Citizens Bank",
                     *             "account": {
                     *               "min_length": 10,
                     *               "max_length": 10
                     *             },
                     *             "account_types": [
                     *               "chequing",
                     *               "savings"
                     *             ],
                     *             "branches": [
                     *               "Half Way Tree"
                     *             ]
                     *           }
                     *         ],
                     *         "ids": [
                     *           {
                     *             "type": "passport",
                     *             "regex": "^[A-Z]{2}[0-9]{6}$"
                     *           }
                     *         ],
                     *         "statuses": [
                     *           {
                     *             "value": "pending",
                     *             "description": "Asked for. Amount and fee are held, and no bank has been told.",
                     *             "cancellable": true,
                     *             "final": false,
                     *             "next": [
                     *               "processing",
                     *               "held",
                     *               "cancelled"
                     *             ]
                     *           }
                     *         ],
                     *         "withdrawal_types": [
                     *           "normal",
                     *           "sub_banked",
                     *           "sub_unbanked"
                     *         ],
                     *         "fees": {
                     *           "TTD": "5.00",
                     *           "USD": "5.00"
                     *         },
                     *         "minimums": {
                     *           "TTD": "5.00",
                     *           "USD": "0.74"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description What was asked for. */
                        data: {
                            /** @description Those of the platform. */
                            banks: components["schemas"]["Bank"][];
                            /** @description The documents that show who is paid. */
                            ids: {
                                /**
                                 * @description What is sent as `id_type`.
                                 * @example passport
                                 */
                                type: string;
                                /**
                                 * @description What an `id_number` of that type fits.
                                 * @example ^[A-Z]{2}[0-9]{6}$
                                 */
                                regex: string;
                            }[];
                            /** @description Every status there is. */
                            statuses: components["schemas"]["WithdrawalStatus"][];
                            /**
                             * @description What is sent as `withdrawal_type`.
                             * @example [
                             *       "normal",
                             *       "sub_banked",
                             *       "sub_unbanked"
                             *     ]
                             */
                            withdrawal_types: string[];
                            /**
                             * @description Taken beside the amount, by currency.
                             * @example {
                             *       "TTD": "5.00",
                             *       "USD": "5.00"
                             *     }
                             */
                            fees: {
                                [key: string]: string;
                            };
                            /**
                             * @description The least amount, by currency.
                             * @example {
                             *       "TTD": "5.00",
                             *       "USD": "0.74"
                             *     }
                             */
                            minimums: {
                                [key: string]: string;
                            };
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-sandbox-transactions-transaction-id-simulate": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Of the payment.
                 * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
                 */
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Absent: the one that the id names, as far as the credential reaches. May be given in the query instead.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment?: "live" | "sandbox";
                    /**
                     * @description What is to happen.
                     * @example approve
                     * @enum {string}
                     */
                    outcome: "approve" | "decline" | "expire" | "refund_accepted" | "refund_rejected" | "chargeback_pending" | "chargeback_processed" | "chargeback_released" | "fraud_confirmed";
                    /** @description With `decline` only: the code of the card's bank. Absent: 05. */
                    code?: string;
                };
            };
        };
        responses: {
            /** @description The payment as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
                     *         "order_id": "order-1",
                     *         "environment": "sandbox",
                     *         "country_code": "TT",
                     *         "currency": "TTD",
                     *         "total": "100.00",
                     *         "customer_total": "105.20",
                     *         "fee": "5.20",
                     *         "net": "100.00",
                     *         "fee_structure": "customer_pay",
                     *         "method": "credit_card_co",
                     *         "origin": "my-shop",
                     *         "status": "success",
                     *         "status_desc": "Normal",
                     *         "message": "[1-R00]: Transaction is approved.",
                     *         "card": "visa **** 1111",
                     *         "checks": {
                     *           "avs": "M",
                     *           "cvv": "M"
                     *         },
                     *         "customer": {
                     *           "email": "customer@example.com",
                     *           "fname": "Anika",
                     *           "lname": "Mohammed"
                     *         },
                     *         "data": "cart 7",
                     *         "language": "en",
                     *         "description": "Two paperbacks for Maya",
                     *         "items": [
                     *           {
                     *             "name": "Sea Grape Stories, paperback",
                     *             "quantity": 2,
                     *             "unit_price": "45.00"
                     *           },
                     *           {
                     *             "name": "Gift wrapping",
                     *             "quantity": 1,
                     *             "unit_price": "15.00"
                     *           },
                     *           {
                     *             "name": "Voucher",
                     *             "quantity": 1,
                     *             "unit_price": "-5.00"
                     *           }
                     *         ],
                     *         "payment_link": null,
                     *         "link_reference": null,
                     *         "refunded_total": "0.00",
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "finalised_at": "2026-11-15T14:04:11.090Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["Transaction"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-sandbox-withdrawals-transaction-id-simulate": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Of the withdrawal.
                 * @example SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0
                 */
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Absent: the one that the id names, as far as the credential reaches. May be given in the query instead.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment?: "live" | "sandbox";
                    /**
                     * @description What is to happen.
                     * @example process
                     * @enum {string}
                     */
                    outcome: "process" | "complete" | "fail" | "hold" | "release" | "return";
                    /** @description With `fail`, `hold` and `return`: what `status_description` says. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The withdrawal as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0",
                     *         "reference": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "withdrawal_type": "normal",
                     *         "environment": "sandbox",
                     *         "currency": "TTD",
                     *         "amount": "100.00",
                     *         "fee": "5.00",
                     *         "status": "pending",
                     *         "status_description": "Asked for. Amount and fee are held, and no bank has been told.",
                     *         "data": "{\"batch\":7}",
                     *         "bank_name": "First Citizens",
                     *         "bank_account": "****5678",
                     *         "bank_account_type": null,
                     *         "bank_branch": null,
                     *         "name_in_bank": "Marisol Baptiste",
                     *         "recipient_name": null,
                     *         "email": null,
                     *         "phone": null,
                     *         "id_type": null,
                     *         "id_number": null,
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "updated_at": "2026-11-15T14:03:07.412Z",
                     *         "completed_at": null,
                     *         "deleted_at": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["Withdrawal"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-sandbox-webhooks-id-simulate": {
        parameters: {
            query?: {
                /**
                 * @description Absent: as far as the credential reaches. May be given in the body instead.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description How it answers.
                     * @example error
                     * @enum {string}
                     */
                    receiver: "ok" | "error" | "timeout" | "gone";
                    /**
                     * @description For how long; it ends by itself.
                     * @example 60
                     */
                    seconds: number;
                };
            };
        };
        responses: {
            /** @description The endpoint as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "url": "https://shop.example.com/webhooks",
                     *         "environment": "sandbox",
                     *         "events": [
                     *           "payment.success",
                     *           "payment.refunded"
                     *         ],
                     *         "description": "Web shop",
                     *         "status": "active",
                     *         "disabled_because": null,
                     *         "failing_since": null,
                     *         "previous_secret_until": null,
                     *         "simulated_receiver": null,
                     *         "simulated_until": null,
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "changed_at": "2026-11-15T14:03:07.412Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-requests": {
        parameters: {
            query?: {
                /**
                 * @description Absent: that of the API key, or all with a bearer token.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
                /**
                 * @description Of HTTP.
                 * @example POST
                 */
                method?: "GET" | "POST" | "PATCH" | "DELETE" | "HEAD";
                /**
                 * @description How the path begins.
                 * @example /plugins/payments/request
                 */
                path?: string;
                /**
                 * @description Of the answer.
                 * @example 400
                 */
                status?: number;
                /**
                 * @description Of the error.
                 * @example field_required
                 */
                code?: string;
                /**
                 * @description Of the request, or of the record that it answered with.
                 * @example order-1
                 */
                order_id?: string;
                /**
                 * @description From then on, that moment included.
                 * @example 2026-11-01T00:00:00Z
                 */
                since?: string;
                /**
                 * @description Until then, that moment included.
                 * @example 2026-11-02T00:00:00Z
                 */
                until?: string;
                /**
                 * @description Which page.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many of them on a page.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requests */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "request_id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *           "at": "2026-11-15T14:03:07.412Z",
                     *           "environment": "sandbox",
                     *           "method": "POST",
                     *           "path": "/plugins/payments/request",
                     *           "status": 400,
                     *           "code": "field_required",
                     *           "duration_ms": 12,
                     *           "credential": "0f3a9c5e7b1d2468ac",
                     *           "address": "203.0.113.7"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "page_size": 20,
                     *         "total": 1,
                     *         "last_page": 1
                     *       },
                     *       "links": {
                     *         "first": "https://api.example.com/list?page=1&page_size=20",
                     *         "prev": null,
                     *         "next": null,
                     *         "last": "https://api.example.com/list?page=1&page_size=20"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description This page of them. */
                        data: components["schemas"]["ListedRequest"][];
                        meta: components["schemas"]["PageMeta"];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-requests-request-id": {
        parameters: {
            query?: {
                /**
                 * @description Absent: either, as far as the credential reaches.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                /**
                 * @description `X-Request-Id` of its answer.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "request_id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "at": "2026-11-15T14:03:07.412Z",
                     *         "environment": "sandbox",
                     *         "method": "POST",
                     *         "path": "/plugins/payments/request",
                     *         "status": 400,
                     *         "code": "field_required",
                     *         "duration_ms": 12,
                     *         "credential": "0f3a9c5e7b1d2468ac",
                     *         "address": "203.0.113.7",
                     *         "request": {
                     *           "query": null,
                     *           "headers": {
                     *             "content-type": "application/json",
                     *             "user-agent": "shop/1.0"
                     *           },
                     *           "body": "{\"account_number\":\"1234567890\",\"total\":\"10.00\"}"
                     *         },
                     *         "response": {
                     *           "headers": {
                     *             "content-type": "application/json; charset=utf-8",
                     *             "x-svc-error": "field_required"
                     *           },
                     *           "body": "{\"url\":\"\",\"message\":\"The order id field is required.\",\"transaction_id\":\"\"}"
                     *         },
                     *         "explanation": {
                     *           "what_was_wrong": "A required field is absent or empty.",
                     *           "what_was_expected": "The order id field is required.",
                     *           "how_to_mend_it": "Send order_id; an empty text is absent.",
                     *           "field": "order_id",
                     *           "documentation": "https://api.example.com/docs/errors/field_required"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["LoggedRequest"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-accounts": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description What its owner signs in with.
                     * @example shop@example.com
                     */
                    email: string;
                    /**
                     * @description At least 8 characters.
                     * @example Sandbox-2026
                     */
                    password: string;
                    /**
                     * @description One line, something readable in it.
                     * @example Anika
                     */
                    first_name: string;
                    /**
                     * @description One line, something readable in it.
                     * @example Mohammed
                     */
                    last_name: string;
                    /**
                     * @description Only a BUSINESS takes payments.
                     * @default PERSONAL
                     * @example BUSINESS
                     * @enum {string}
                     */
                    account_type?: "PERSONAL" | "BUSINESS";
                    /**
                     * @description E.164, a valid number of the platform's country.
                     * @example +18686235555
                     */
                    phone?: string;
                };
            };
        };
        responses: {
            /** @description Its number */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Created",
                     *       "data": {
                     *         "account_number": "6789012345"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Created";
                        /** @description What was asked for. */
                        data: {
                            /**
                             * @description Of the new account.
                             * @example 6789012345
                             */
                            account_number: string;
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-accounts-account-number": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Ten digits: the caller's own account, or one that it made.
                 * @example 1234567890
                 */
                account_number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "account_number": "6789012345",
                     *         "account_type": "PERSONAL",
                     *         "email": "shop@example.com",
                     *         "first_name": "Anika",
                     *         "last_name": "Mohammed",
                     *         "phone": "+18686235555",
                     *         "verified": false,
                     *         "created_at": "2026-11-15T14:03:07.412Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["Account"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "delete-accounts-account-number": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Ten digits: the caller's own account, or one that it made.
                 * @example 1234567890
                 */
                account_number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Closed, on every process */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "patch-accounts-account-number": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Ten digits: the caller's own account, or one that it made.
                 * @example 1234567890
                 */
                account_number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description What its owner signs in with.
                     * @example shop@example.com
                     */
                    email?: string;
                    /**
                     * @description One line, something readable in it.
                     * @example Anika
                     */
                    first_name?: string;
                    /**
                     * @description One line, something readable in it.
                     * @example Mohammed
                     */
                    last_name?: string;
                    /**
                     * @description E.164, a valid number of the platform's country.
                     * @example +18686235555
                     */
                    phone?: string;
                };
            };
        };
        responses: {
            /** @description The account as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "account_number": "6789012345",
                     *         "account_type": "PERSONAL",
                     *         "email": "shop@example.com",
                     *         "first_name": "Anika",
                     *         "last_name": "Mohammed",
                     *         "phone": "+18686235555",
                     *         "verified": false,
                     *         "created_at": "2026-11-15T14:03:07.412Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["Account"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-user": {
        parameters: {
            query?: {
                /**
                 * @description Whose balances. Absent: those of the API key, or live with a bearer token.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The profile */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "account_number": "1234567890",
                     *         "account_type": "BUSINESS",
                     *         "country_code": "TT",
                     *         "email": "merchant@example.com",
                     *         "first_name": "Marisol",
                     *         "last_name": "Baptiste",
                     *         "phone": null,
                     *         "verified": true,
                     *         "balances": {
                     *           "local": {
                     *             "currency": "TTD",
                     *             "balance": "10000.00",
                     *             "available": "10000.00",
                     *             "held": "0.00"
                     *           },
                     *           "foreign": {
                     *             "currency": "TTD",
                     *             "balance": "10000.00",
                     *             "available": "10000.00",
                     *             "held": "0.00"
                     *           },
                     *           "others": []
                     *         },
                     *         "bank_configured": {
                     *           "local": true,
                     *           "foreign": true
                     *         },
                     *         "profile_picture": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["Profile"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "patch-user-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The password that holds now.
                     * @example Sandbox-2026
                     */
                    old_password: string;
                    /**
                     * @description The one that shall hold.
                     * @example Sandbox-2027
                     */
                    new_password: string;
                    /**
                     * @description The new one again.
                     * @example Sandbox-2027
                     */
                    confirm_password: string;
                };
            };
        };
        responses: {
            /** @description Changed, and all other sign-ins ended, on every process */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "patch-user-phone": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description In E.164 form, and a valid number of the platform's country.
                     * @example +18686221234
                     */
                    phone: string;
                };
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-user-banks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bank accounts, each null while there is none */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "local": {
                     *           "bank_name": "First Citizens",
                     *           "bank_account": "****5678",
                     *           "name_in_bank": "Anika Mohammed",
                     *           "bank_account_type": null,
                     *           "bank_branch": null
                     *         },
                     *         "foreign": {
                     *           "beneficiary_name": "Marisol Baptiste",
                     *           "beneficiary_address": "12 Frederick Street, Port of Spain",
                     *           "beneficiary_account_number": "****6789",
                     *           "beneficiary_bank": "First Example Bank",
                     *           "bank_address": "1 Main Street, New York",
                     *           "beneficiary_bank_swift_or_routing_code": "CHASUS33",
                     *           "intermediary_bank": null,
                     *           "intermediary_bank_address": null,
                     *           "intermediary_bank_swift_code": null,
                     *           "intermediary_bank_routing_number_or_aba": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description What was asked for. */
                        data: {
                            local: components["schemas"]["LocalBank"] | null;
                            foreign: components["schemas"]["ForeignBank"] | null;
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-user-banks-local": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bank account, null while there is none */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "local": {
                     *           "bank_name": "First Citizens",
                     *           "bank_account": "****5678",
                     *           "name_in_bank": "Anika Mohammed",
                     *           "bank_account_type": null,
                     *           "bank_branch": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description What was asked for. */
                        data: {
                            local: components["schemas"]["LocalBank"] | null;
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-user-banks-local": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description A bank of the account's platform, by the name that the withdrawal metadata gives.
                     * @example First Citizens
                     */
                    bank_name: string;
                    /**
                     * @description The account's number, leading zeros included; how many digits it has depends on the bank.
                     * @example 0012345678
                     */
                    bank_account: string;
                    /**
                     * @description Whose account it is, as the bank has it.
                     * @example Anika Mohammed
                     */
                    name_in_bank: string;
                    /**
                     * @description Jamaica only, and required there: `chequing` or `savings`. Elsewhere it is ignored.
                     * @example savings
                     */
                    bank_account_type?: string;
                    /**
                     * @description Jamaica only, and required there: a branch of that bank. Elsewhere it is ignored.
                     * @example Half Way Tree
                     */
                    bank_branch?: string;
                };
            };
        };
        responses: {
            /** @description Added */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Created"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Created";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "delete-user-banks-local": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "patch-user-banks-local": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description A bank of the account's platform, by the name that the withdrawal metadata gives.
                     * @example First Citizens
                     */
                    bank_name?: string;
                    /**
                     * @description The account's number, leading zeros included; how many digits it has depends on the bank.
                     * @example 0012345678
                     */
                    bank_account?: string;
                    /**
                     * @description Whose account it is, as the bank has it.
                     * @example Anika Mohammed
                     */
                    name_in_bank?: string;
                    /**
                     * @description Jamaica only, and required there: `chequing` or `savings`. Elsewhere it is ignored.
                     * @example savings
                     */
                    bank_account_type?: string;
                    /**
                     * @description Jamaica only, and required there: a branch of that bank. Elsewhere it is ignored.
                     * @example Half Way Tree
                     */
                    bank_branch?: string;
                };
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-user-banks-foreign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bank account, null while there is none */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "foreign": {
                     *           "beneficiary_name": "Marisol Baptiste",
                     *           "beneficiary_address": "12 Frederick Street, Port of Spain",
                     *           "beneficiary_account_number": "****6789",
                     *           "beneficiary_bank": "First Example Bank",
                     *           "bank_address": "1 Main Street, New York",
                     *           "beneficiary_bank_swift_or_routing_code": "CHASUS33",
                     *           "intermediary_bank": null,
                     *           "intermediary_bank_address": null,
                     *           "intermediary_bank_swift_code": null,
                     *           "intermediary_bank_routing_number_or_aba": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description What was asked for. */
                        data: {
                            foreign: components["schemas"]["ForeignBank"] | null;
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-user-banks-foreign": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Whose account it is.
                     * @example Marisol Baptiste
                     */
                    beneficiary_name: string;
                    /**
                     * @description Where the account's holder lives.
                     * @example 12 Frederick Street, Port of Spain
                     */
                    beneficiary_address: string;
                    /**
                     * @description The account's number or IBAN: 5 to 34 letters and digits. Spaces and hyphens do not count.
                     * @example 000123456789
                     */
                    beneficiary_account_number: string;
                    /**
                     * @description The bank that holds it.
                     * @example First Example Bank
                     */
                    beneficiary_bank: string;
                    /**
                     * @description Where that bank is.
                     * @example 1 Main Street, New York
                     */
                    bank_address: string;
                    /**
                     * @description The bank's SWIFT code (8 or 11 characters) or ABA routing number (9 digits).
                     * @example CHASUS33
                     */
                    beneficiary_bank_swift_or_routing_code: string;
                    /**
                     * @description The bank that passes the money on.
                     * @example Second Example Bank
                     */
                    intermediary_bank?: string;
                    /**
                     * @description Where that one is.
                     * @example 2 Main Street, New York
                     */
                    intermediary_bank_address?: string;
                    /**
                     * @description Its SWIFT code.
                     * @example CITIUS33XXX
                     */
                    intermediary_bank_swift_code?: string;
                    /**
                     * @description Its ABA routing number.
                     * @example 021000021
                     */
                    intermediary_bank_routing_number_or_aba?: string;
                };
            };
        };
        responses: {
            /** @description Added */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Created"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Created";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "delete-user-banks-foreign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "patch-user-banks-foreign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Whose account it is.
                     * @example Marisol Baptiste
                     */
                    beneficiary_name?: string;
                    /**
                     * @description Where the account's holder lives.
                     * @example 12 Frederick Street, Port of Spain
                     */
                    beneficiary_address?: string;
                    /**
                     * @description The account's number or IBAN: 5 to 34 letters and digits. Spaces and hyphens do not count.
                     * @example 000123456789
                     */
                    beneficiary_account_number?: string;
                    /**
                     * @description The bank that holds it.
                     * @example First Example Bank
                     */
                    beneficiary_bank?: string;
                    /**
                     * @description Where that bank is.
                     * @example 1 Main Street, New York
                     */
                    bank_address?: string;
                    /**
                     * @description The bank's SWIFT code (8 or 11 characters) or ABA routing number (9 digits).
                     * @example CHASUS33
                     */
                    beneficiary_bank_swift_or_routing_code?: string;
                    /**
                     * @description The bank that passes the money on.
                     * @example Second Example Bank
                     */
                    intermediary_bank?: string;
                    /**
                     * @description Where that one is.
                     * @example 2 Main Street, New York
                     */
                    intermediary_bank_address?: string;
                    /**
                     * @description Its SWIFT code.
                     * @example CITIUS33XXX
                     */
                    intermediary_bank_swift_code?: string;
                    /**
                     * @description Its ABA routing number.
                     * @example 021000021
                     */
                    intermediary_bank_routing_number_or_aba?: string;
                };
            };
        };
        responses: {
            /** @description Changed */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-webhooks": {
        parameters: {
            query?: {
                /**
                 * @description Absent: as far as the credential reaches.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
                /**
                 * @description Which page.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many of them on a page.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoints, newest first */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *           "url": "https://shop.example.com/webhooks",
                     *           "environment": "sandbox",
                     *           "events": [
                     *             "payment.success",
                     *             "payment.refunded"
                     *           ],
                     *           "description": "Web shop",
                     *           "status": "active",
                     *           "disabled_because": null,
                     *           "failing_since": null,
                     *           "previous_secret_until": null,
                     *           "simulated_receiver": null,
                     *           "simulated_until": null,
                     *           "created_at": "2026-11-15T14:03:07.412Z",
                     *           "changed_at": "2026-11-15T14:03:07.412Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "page_size": 20,
                     *         "total": 1,
                     *         "last_page": 1
                     *       },
                     *       "links": {
                     *         "first": "https://api.example.com/list?page=1&page_size=20",
                     *         "prev": null,
                     *         "next": null,
                     *         "last": "https://api.example.com/list?page=1&page_size=20"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description This page of them. */
                        data: components["schemas"]["WebhookEndpoint"][];
                        meta: components["schemas"]["PageMeta"];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-webhooks": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description Where events are sent: https, port 443 or 8443, a public name, at most 2,048 characters. Not every rule holds in development.
                     * @example https://shop.example.com/webhooks
                     */
                    url: string;
                    /**
                     * @description The events it is told of, as a list or as one text with commas. `*` is every event, also of kinds to come.
                     * @example [
                     *       "payment.success",
                     *       "payment.refunded"
                     *     ]
                     */
                    events?: string | ("payment.created" | "payment.success" | "payment.failed" | "payment.error" | "payment.late_approval_voided" | "payment.refund_requested" | "payment.refunded" | "payment.refund_rejected" | "payment.chargeback_pending" | "payment.chargeback_processed" | "payment.chargeback_released" | "payment.fraud_confirmed" | "withdrawal.pending" | "withdrawal.processing" | "withdrawal.held" | "withdrawal.released" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled" | "withdrawal.returned" | "trusted_card.created" | "trusted_card.verified" | "trusted_card.deleted" | "webhook.test" | "webhook.failing" | "webhook.disabled" | "*")[];
                    /**
                     * @description Whose events; it cannot be changed. May be given in the query instead.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment: "live" | "sandbox";
                    /**
                     * @description A name to recognise the endpoint by.
                     * @example Web shop
                     */
                    description?: string;
                };
            };
        };
        responses: {
            /** @description The endpoint and its secret */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Created",
                     *       "data": {
                     *         "id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "url": "https://shop.example.com/webhooks",
                     *         "environment": "sandbox",
                     *         "events": [
                     *           "payment.success",
                     *           "payment.refunded"
                     *         ],
                     *         "description": "Web shop",
                     *         "status": "active",
                     *         "disabled_because": null,
                     *         "failing_since": null,
                     *         "previous_secret_until": null,
                     *         "simulated_receiver": null,
                     *         "simulated_until": null,
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "changed_at": "2026-11-15T14:03:07.412Z",
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Created";
                        data: components["schemas"]["NewWebhookEndpoint"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-webhooks-id": {
        parameters: {
            query?: {
                /**
                 * @description Absent: as far as the credential reaches.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "url": "https://shop.example.com/webhooks",
                     *         "environment": "sandbox",
                     *         "events": [
                     *           "payment.success",
                     *           "payment.refunded"
                     *         ],
                     *         "description": "Web shop",
                     *         "status": "active",
                     *         "disabled_because": null,
                     *         "failing_since": null,
                     *         "previous_secret_until": null,
                     *         "simulated_receiver": null,
                     *         "simulated_until": null,
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "changed_at": "2026-11-15T14:03:07.412Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "delete-webhooks-id": {
        parameters: {
            query?: {
                /**
                 * @description Absent: as far as the credential reaches. May be given in the body instead.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "patch-webhooks-id": {
        parameters: {
            query?: {
                /**
                 * @description Absent: as far as the credential reaches. May be given in the body instead.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description Where events are sent: https, port 443 or 8443, a public name, at most 2,048 characters. Not every rule holds in development.
                     * @example https://shop.example.com/webhooks
                     */
                    url?: string;
                    /**
                     * @description The events it is told of, as a list or as one text with commas. `*` is every event, also of kinds to come.
                     * @example [
                     *       "payment.success",
                     *       "payment.refunded"
                     *     ]
                     */
                    events?: string | ("payment.created" | "payment.success" | "payment.failed" | "payment.error" | "payment.late_approval_voided" | "payment.refund_requested" | "payment.refunded" | "payment.refund_rejected" | "payment.chargeback_pending" | "payment.chargeback_processed" | "payment.chargeback_released" | "payment.fraud_confirmed" | "withdrawal.pending" | "withdrawal.processing" | "withdrawal.held" | "withdrawal.released" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled" | "withdrawal.returned" | "trusted_card.created" | "trusted_card.verified" | "trusted_card.deleted" | "webhook.test" | "webhook.failing" | "webhook.disabled" | "*")[];
                    /**
                     * @description A name to recognise the endpoint by.
                     * @example Web shop
                     */
                    description?: string;
                    /**
                     * @description Whether it is sent anything.
                     * @example active
                     * @enum {string}
                     */
                    status?: "active" | "disabled";
                };
            };
        };
        responses: {
            /** @description The endpoint as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "url": "https://shop.example.com/webhooks",
                     *         "environment": "sandbox",
                     *         "events": [
                     *           "payment.success",
                     *           "payment.refunded"
                     *         ],
                     *         "description": "Web shop",
                     *         "status": "active",
                     *         "disabled_because": null,
                     *         "failing_since": null,
                     *         "previous_secret_until": null,
                     *         "simulated_receiver": null,
                     *         "simulated_until": null,
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "changed_at": "2026-11-15T14:03:07.412Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-webhooks-id-rotate": {
        parameters: {
            query?: {
                /**
                 * @description Absent: as far as the credential reaches. May be given in the body instead.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint and its new secret */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "url": "https://shop.example.com/webhooks",
                     *         "environment": "sandbox",
                     *         "events": [
                     *           "payment.success",
                     *           "payment.refunded"
                     *         ],
                     *         "description": "Web shop",
                     *         "status": "active",
                     *         "disabled_because": null,
                     *         "failing_since": null,
                     *         "previous_secret_until": null,
                     *         "simulated_receiver": null,
                     *         "simulated_until": null,
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "changed_at": "2026-11-15T14:03:07.412Z",
                     *         "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo="
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["NewWebhookEndpoint"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-webhooks-id-test": {
        parameters: {
            query?: {
                /**
                 * @description Absent: as far as the credential reaches. May be given in the body instead.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queued for delivery */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Accepted",
                     *       "data": {
                     *         "event_id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Accepted";
                        /** @description What was asked for. */
                        data: {
                            /**
                             * @description Of the test event.
                             * @example 019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70
                             */
                            event_id: string;
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-webhooks-id-deliveries": {
        parameters: {
            query?: {
                /**
                 * @description Absent: as far as the credential reaches.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
                /**
                 * @description Only those that came to this.
                 * @example failed
                 */
                state?: "waiting" | "delivered" | "failed" | "cancelled";
                /**
                 * @description From then on, that moment included.
                 * @example 2026-11-01T00:00:00Z
                 */
                since?: string;
                /**
                 * @description Until then, that moment included.
                 * @example 2026-11-02T00:00:00Z
                 */
                until?: string;
                /**
                 * @description Which page.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many of them on a page.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *           "event": "payment.success",
                     *           "event_id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
                     *           "sequence": 2,
                     *           "state": "delivered",
                     *           "attempt_count": 1,
                     *           "attempts": [
                     *             {
                     *               "attempt": 1,
                     *               "began_at": "2026-11-15T14:03:07.412Z",
                     *               "duration_ms": 84,
                     *               "response_status": 200,
                     *               "response_head": "ok",
                     *               "failure": null
                     *             }
                     *           ],
                     *           "request": {
                     *             "url": "https://shop.example.com/webhooks",
                     *             "headers": {
                     *               "content-type": "application/json",
                     *               "user-agent": "Windward-Webhooks/1",
                     *               "webhook-id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
                     *               "webhook-timestamp": "",
                     *               "X-SVC-Webhook-Event": "payment.success",
                     *               "X-SVC-Webhook-Id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
                     *               "X-SVC-Webhook-Timestamp": "",
                     *               "X-SVC-Webhook-Version": "v1"
                     *             },
                     *             "body": "{\"id\":\"019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70\",\"…\":\"…\"}"
                     *           },
                     *           "next_attempt_at": null,
                     *           "created_at": "2026-11-15T14:03:07.412Z",
                     *           "ended_at": "2026-11-15T14:03:07.412Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "page_size": 20,
                     *         "total": 1,
                     *         "last_page": 1
                     *       },
                     *       "links": {
                     *         "first": "https://api.example.com/list?page=1&page_size=20",
                     *         "prev": null,
                     *         "next": null,
                     *         "last": "https://api.example.com/list?page=1&page_size=20"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description This page of them. */
                        data: components["schemas"]["Delivery"][];
                        meta: components["schemas"]["PageMeta"];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-webhooks-id-deliveries-delivery-resend": {
        parameters: {
            query?: {
                /**
                 * @description Absent: as far as the credential reaches. May be given in the body instead.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                id: string;
                /**
                 * @description The delivery's `id`.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                delivery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is due now */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Accepted",
                     *       "data": {
                     *         "id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "event": "payment.success",
                     *         "event_id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
                     *         "sequence": 2,
                     *         "state": "delivered",
                     *         "attempt_count": 1,
                     *         "attempts": [
                     *           {
                     *             "attempt": 1,
                     *             "began_at": "2026-11-15T14:03:07.412Z",
                     *             "duration_ms": 84,
                     *             "response_status": 200,
                     *             "response_head": "ok",
                     *             "failure": null
                     *           }
                     *         ],
                     *         "request": {
                     *           "url": "https://shop.example.com/webhooks",
                     *           "headers": {
                     *             "content-type": "application/json",
                     *             "user-agent": "Windward-Webhooks/1",
                     *             "webhook-id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
                     *             "webhook-timestamp": "",
                     *             "X-SVC-Webhook-Event": "payment.success",
                     *             "X-SVC-Webhook-Id": "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
                     *             "X-SVC-Webhook-Timestamp": "",
                     *             "X-SVC-Webhook-Version": "v1"
                     *           },
                     *           "body": "{\"id\":\"019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70\",\"…\":\"…\"}"
                     *         },
                     *         "next_attempt_at": null,
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "ended_at": "2026-11-15T14:03:07.412Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Accepted";
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-webhooks-id-replay": {
        parameters: {
            query?: {
                /**
                 * @description Absent: as far as the credential reaches. May be given in the body instead.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The endpoint's `id`.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description From then on, that moment included.
                     * @example 2026-11-01T00:00:00Z
                     */
                    since: string;
                    /**
                     * Format: date-time
                     * @description Until then, that moment included.
                     * @example 2026-11-02T00:00:00Z
                     */
                    until?: string;
                    /**
                     * @description Of those that it is told: only these.
                     * @example [
                     *       "payment.success"
                     *     ]
                     */
                    events?: string | ("payment.created" | "payment.success" | "payment.failed" | "payment.error" | "payment.late_approval_voided" | "payment.refund_requested" | "payment.refunded" | "payment.refund_rejected" | "payment.chargeback_pending" | "payment.chargeback_processed" | "payment.chargeback_released" | "payment.fraud_confirmed" | "withdrawal.pending" | "withdrawal.processing" | "withdrawal.held" | "withdrawal.released" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled" | "withdrawal.returned" | "trusted_card.created" | "trusted_card.verified" | "trusted_card.deleted" | "webhook.test" | "webhook.failing" | "webhook.disabled" | "*")[];
                    /**
                     * @description Only what the endpoint has not acknowledged: failed, cancelled, waiting or never sent.
                     * @default false
                     * @example true
                     */
                    only_failed?: boolean;
                    /**
                     * @description Of those that happened at `since`, only what has a higher `sequence`.
                     * @example 0
                     */
                    after?: number;
                };
            };
        };
        responses: {
            /** @description What was found is due now */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Accepted",
                     *       "data": {
                     *         "queued": 3,
                     *         "is_complete": true,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Accepted";
                        /** @description What was asked for. */
                        data: {
                            /**
                             * @description How many will be sent.
                             * @example 3
                             */
                            queued: number;
                            /**
                             * @description Whether the whole span was looked at.
                             * @example true
                             */
                            is_complete: boolean;
                            /**
                             * @description Where to go on; null when it is complete.
                             * @example null
                             */
                            next: {
                                /**
                                 * Format: date-time
                                 * @description To be sent as `since`.
                                 * @example 2026-11-15T14:03:07.412Z
                                 */
                                since: string;
                                /**
                                 * @description To be sent as `after`.
                                 * @example 2000
                                 */
                                after: number;
                            } | null;
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-plugins-payments-request": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description The merchant's account.
                     * @example 1234567890
                     */
                    account_number: number | string;
                    /**
                     * @description The platform of the merchant's account.
                     * @example TT
                     * @enum {string}
                     */
                    country_code: "BB" | "GD" | "GY" | "JM" | "TT";
                    /**
                     * @description One of the two of the platform.
                     * @example TTD
                     * @enum {string}
                     */
                    currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                    /**
                     * @description Where the payment is made.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment: "live" | "sandbox";
                    /**
                     * @description Who pays the fee.
                     * @example customer_pay
                     * @enum {string}
                     */
                    fee_structure: "customer_pay" | "merchant_absorb" | "split";
                    /**
                     * @description The full page, or the one made for a frame. `credit_card` is deprecated and taken as `credit_card_co`.
                     * @example credit_card_co
                     * @enum {string}
                     */
                    method: "credit_card_co" | "3co_simple";
                    /**
                     * @description Of this order alone; 16 characters or fewer are recommended.
                     * @example order-1
                     */
                    order_id: string;
                    /**
                     * @description The application that asks.
                     * @example my-shop
                     */
                    origin: string;
                    /**
                     * Format: uri
                     * @description Where the browser is sent with the result.
                     * @example https://shop.example/paid
                     */
                    response_url: string;
                    /**
                     * @description Within the limits of the currency.
                     * @example 100.00
                     */
                    total: number | string;
                    /**
                     * Format: email
                     * @description The customer's. Not the merchant's own. Without it the page asks the customer.
                     * @example customer@example.com
                     */
                    email?: string;
                    /**
                     * @description Told back with the result and in events, exactly as it was sent.
                     * @default
                     * @example cart 7
                     */
                    data?: string;
                    /**
                     * @description Of the application.
                     * @example 1.4.0
                     */
                    version?: string;
                    /**
                     * @description The customer's first name.
                     * @example Anika
                     */
                    fname?: string;
                    /**
                     * @description The last name. Needs fname.
                     * @example Mohammed
                     */
                    lname?: string;
                    /**
                     * @description Instead of fname and lname; split at its last space.
                     * @example Anika Mohammed
                     */
                    name?: string;
                    /**
                     * @description Of the billing address.
                     * @example 1 Ariapita Avenue
                     */
                    addr1?: string;
                    /**
                     * @description Needs addr1.
                     * @example Woodbrook
                     */
                    addr2?: string;
                    /**
                     * @description Of the billing address.
                     * @example Port of Spain
                     */
                    city?: string;
                    /**
                     * @description An ISO 3166-2 code of the country, with or without the country before it.
                     * @example TT-POS
                     */
                    state?: string;
                    /**
                     * @description Of the billing address.
                     * @example 170516
                     */
                    zipcode?: string;
                    /**
                     * @description Of the billing address.
                     * @example TT
                     */
                    country?: string;
                    /**
                     * @description The customer's, in E.164 form. One that is not a complete valid number is ignored.
                     * @example +18686221234
                     */
                    phone?: string;
                    /**
                     * @description Whether the billing address is to be verified.
                     * @default false
                     * @example false
                     */
                    avs?: boolean;
                    /**
                     * @description The only network that is taken for this order.
                     * @example visa
                     * @enum {string}
                     */
                    card_type?: "visa" | "mastercard";
                    /**
                     * @description Of the payment page and the receipt. Without it, the browser's.
                     * @example en
                     * @enum {string}
                     */
                    language?: "en" | "es" | "fr" | "nl";
                    /**
                     * @description What the customer pays for, in a line: on the payment page and the receipt.
                     * @example Two paperbacks for Maya
                     */
                    description?: string;
                    /**
                     * @description What is bought, at most 50 lines that add up to the total. In a form, and in a signed request, the JSON text of the list.
                     * @example [
                     *       {
                     *         "name": "Sea Grape Stories, paperback",
                     *         "quantity": 2,
                     *         "unit_price": "45.00"
                     *       },
                     *       {
                     *         "name": "Gift wrapping",
                     *         "quantity": 1,
                     *         "unit_price": "15.00"
                     *       },
                     *       {
                     *         "name": "Voucher",
                     *         "quantity": 1,
                     *         "unit_price": "-5.00"
                     *       }
                     *     ]
                     */
                    items?: {
                        /**
                         * @description What it is.
                         * @example Sea Grape Stories, paperback
                         */
                        name: string;
                        /**
                         * @description How many.
                         * @example 2
                         */
                        quantity: number;
                        /**
                         * @description The price of one, in the currency of the total; below zero for a discount.
                         * @example 45.00
                         */
                        unit_price: number | string;
                    }[] | string;
                    /**
                     * @description The HMAC-SHA-256 in hex, keyed by the account's signing secret of that environment, of all other fields of the body, sorted by name and form-encoded. An account may require it.
                     * @example 3f0c6ed4cb9d1a4b5b6c9a0f4f3f1b0e7c5b7a5e9d0c1b2a39485766554433ff
                     */
                    signature?: string;
                };
            };
        };
        responses: {
            /** @description The page is open; with `Deprecation` where the method was credit_card */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    Deprecation: components["headers"]["Deprecation"];
                    Link: components["headers"]["Link"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://pay.example.com/checkout/9vJx2Kc7",
                     *       "message": "OK",
                     *       "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0"
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentAnswer"];
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-plugins-get-states": {
        parameters: {
            query: {
                /**
                 * @description Any country, by its ISO 3166-1 code.
                 * @example US
                 */
                country_code: string;
            };
            header?: {
                /**
                 * @description The ETag of an answer that you have: 304 when it has not changed.
                 * @example "kZ0mP4fV1s3QxYb7Tn9a2w"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names by ISO 3166-2 code; none for a country without any */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "US-CA": "California",
                     *       "US-NY": "New York"
                     *     }
                     */
                    "application/json": {
                        [key: string]: string;
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-plugins-get-currencies": {
        parameters: {
            query?: {
                /**
                 * @description Of this platform; absent: of all of them.
                 * @example TT
                 */
                country_code?: "BB" | "GD" | "GY" | "JM" | "TT";
            };
            header?: {
                /**
                 * @description The ETag of an answer that you have: 304 when it has not changed.
                 * @example "kZ0mP4fV1s3QxYb7Tn9a2w"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Currency codes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "TTD",
                     *       "USD",
                     *       "BBD",
                     *       "XCD",
                     *       "JMD",
                     *       "GYD"
                     *     ]
                     */
                    "application/json": string[];
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-plugins-get-environments": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of an answer that you have: 304 when it has not changed.
                 * @example "kZ0mP4fV1s3QxYb7Tn9a2w"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names of environments */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       "live",
                     *       "sandbox"
                     *     ]
                     */
                    "application/json": string[];
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-plugins-get-fee-structures": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of an answer that you have: 304 when it has not changed.
                 * @example "kZ0mP4fV1s3QxYb7Tn9a2w"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names by code */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Access-Control-Allow-Origin": components["headers"]["Access-Control-Allow-Origin"];
                    "Access-Control-Expose-Headers": components["headers"]["Access-Control-Expose-Headers"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "customer_pay": "Customer Pay",
                     *       "merchant_absorb": "Merchant Absorb",
                     *       "split": "Split"
                     *     }
                     */
                    "application/json": {
                        [key: string]: string;
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-trusted-cards": {
        parameters: {
            query?: {
                /**
                 * @description Absent: that of the API key, or live.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
                /**
                 * @description Which page.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many of them on a page.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cards, newest first */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "uuid": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *           "environment": "sandbox",
                     *           "card_type": "visa",
                     *           "pan": "************1111",
                     *           "exp_month": 12,
                     *           "exp_year": 2029,
                     *           "name": "Anika Mohammed",
                     *           "verified": true,
                     *           "verify_expires_at": "2026-11-16T14:03:07.412Z",
                     *           "created_at": "2026-11-15T14:03:07.412Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "page_size": 20,
                     *         "total": 1,
                     *         "last_page": 1
                     *       },
                     *       "links": {
                     *         "first": "https://api.example.com/list?page=1&page_size=20",
                     *         "prev": null,
                     *         "next": null,
                     *         "last": "https://api.example.com/list?page=1&page_size=20"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description This page of them. */
                        data: components["schemas"]["TrustedCard"][];
                        meta: components["schemas"]["PageMeta"];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-trusted-cards": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Absent: that of the API key, or live. May be given in the query instead.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment?: "live" | "sandbox";
                    /**
                     * Format: uri
                     * @description Where the browser is sent with the result.
                     * @example https://shop.example/paid
                     */
                    response_url: string;
                    /**
                     * @description Told back with the result and in events, exactly as it was sent.
                     * @default
                     * @example cart 7
                     */
                    data?: string;
                };
            };
        };
        responses: {
            /** @description The page is open */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "url": "https://pay.example.com/checkout/9vJx2Kc7",
                     *       "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenedCheckout"];
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-trusted-cards-uuid": {
        parameters: {
            query?: {
                /**
                 * @description Absent: as far as the credential reaches.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                /**
                 * @description Of the card.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "uuid": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "environment": "sandbox",
                     *         "card_type": "visa",
                     *         "pan": "************1111",
                     *         "exp_month": 12,
                     *         "exp_year": 2029,
                     *         "name": "Anika Mohammed",
                     *         "verified": true,
                     *         "verify_expires_at": "2026-11-16T14:03:07.412Z",
                     *         "created_at": "2026-11-15T14:03:07.412Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["TrustedCard"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "delete-trusted-cards-uuid": {
        parameters: {
            query?: {
                /**
                 * @description Absent: as far as the credential reaches. May be given in the body instead.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                /**
                 * @description Of the card.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-trusted-cards-uuid-verify": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Of the card.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Absent: as far as the credential reaches. May be given in the query instead.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment?: "live" | "sandbox";
                    /**
                     * @description In US dollars.
                     * @example 0.73
                     */
                    amount: number | string;
                };
            };
        };
        responses: {
            /** @description The card may be charged */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "uuid": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "environment": "sandbox",
                     *         "card_type": "visa",
                     *         "pan": "************1111",
                     *         "exp_month": 12,
                     *         "exp_year": 2029,
                     *         "name": "Anika Mohammed",
                     *         "verified": true,
                     *         "verify_expires_at": "2026-11-16T14:03:07.412Z",
                     *         "created_at": "2026-11-15T14:03:07.412Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["TrustedCard"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-trusted-cards-uuid-charge": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description Of the card.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description One of the two of the platform.
                     * @example TTD
                     * @enum {string}
                     */
                    currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                    /**
                     * @description Who pays the fee.
                     * @example customer_pay
                     * @enum {string}
                     */
                    fee_structure: "customer_pay" | "merchant_absorb" | "split";
                    /**
                     * @description Of this order alone; 16 characters or fewer are recommended.
                     * @example order-1
                     */
                    order_id: string;
                    /**
                     * Format: uri
                     * @description Where the browser is sent with the result.
                     * @example https://shop.example/paid
                     */
                    response_url: string;
                    /**
                     * @description Within the limits of the currency.
                     * @example 100.00
                     */
                    total: number | string;
                    /**
                     * @description The application that asks.
                     * @example my-shop
                     */
                    origin?: string;
                    /**
                     * @description Told back with the result and in events, exactly as it was sent.
                     * @default
                     * @example cart 7
                     */
                    data?: string;
                    /**
                     * Format: email
                     * @description The customer's. Not the merchant's own. Without it the page asks the customer.
                     * @example customer@example.com
                     */
                    email?: string;
                    /**
                     * @description Absent: as far as the credential reaches. May be given in the query instead.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment?: "live" | "sandbox";
                };
            };
        };
        responses: {
            /** @description The page is open */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "url": "https://pay.example.com/checkout/9vJx2Kc7",
                     *       "transaction_id": "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenedCheckout"];
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-payment-links": {
        parameters: {
            query?: {
                /**
                 * @description Absent: that of the API key, or live.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
                /**
                 * @description Only those with this label.
                 * @example Classes
                 */
                label?: string;
                /**
                 * @description Only those that are switched on, or off.
                 * @example true
                 */
                active?: boolean;
                /**
                 * @description Which page.
                 * @example 1
                 */
                page?: number;
                /**
                 * @description How many of them on a page.
                 * @example 20
                 */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The links, newest first */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *           "url": "https://pay.example.com/pay/k7m2qx9sdh4vwp",
                     *           "qr_svg_url": "https://pay.example.com/pay/k7m2qx9sdh4vwp/qr.svg",
                     *           "qr_png_url": "https://pay.example.com/pay/k7m2qx9sdh4vwp/qr.png",
                     *           "active": true,
                     *           "state": "open",
                     *           "environment": "sandbox",
                     *           "title": "Yoga class",
                     *           "label": "Classes",
                     *           "currency": "TTD",
                     *           "amount": "120.00",
                     *           "amount_min": null,
                     *           "amount_max": null,
                     *           "description": "Saturdays at 7, by the jetty",
                     *           "items": null,
                     *           "fee_structure": "customer_pay",
                     *           "max_payments": 20,
                     *           "expires_at": null,
                     *           "reference_label": "Your name",
                     *           "success_message": "See you there!",
                     *           "success_url": null,
                     *           "language": null,
                     *           "paid_count": 3,
                     *           "paid_total": "360.00",
                     *           "created_at": "2026-11-15T14:03:07.412Z",
                     *           "changed_at": "2026-11-15T14:03:07.412Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "page": 1,
                     *         "page_size": 20,
                     *         "total": 1,
                     *         "last_page": 1
                     *       },
                     *       "links": {
                     *         "first": "https://api.example.com/list?page=1&page_size=20",
                     *         "prev": null,
                     *         "next": null,
                     *         "last": "https://api.example.com/list?page=1&page_size=20"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description This page of them. */
                        data: components["schemas"]["PaymentLink"][];
                        meta: components["schemas"]["PageMeta"];
                        links: components["schemas"]["PageLinks"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-payment-links": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Absent: that of the API key, or live. May be given in the query instead.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment?: "live" | "sandbox";
                    /**
                     * @description What is paid for; the heading of the page.
                     * @example Yoga class
                     */
                    title: string;
                    /**
                     * @description One of the two of the platform.
                     * @example TTD
                     * @enum {string}
                     */
                    currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                    /**
                     * @description What is to be paid. Without it, send amount_min and amount_max.
                     * @example 120.00
                     */
                    amount?: number | string;
                    /**
                     * @description The least that the customer may choose.
                     * @example 100.00
                     */
                    amount_min?: number | string;
                    /**
                     * @description The most.
                     * @example 100.00
                     */
                    amount_max?: number | string;
                    /**
                     * @description What is bought: lines that add up to the amount, which may then be left out. Not with amount_min and amount_max.
                     * @example [
                     *       {
                     *         "name": "Sea Grape Stories, paperback",
                     *         "quantity": 2,
                     *         "unit_price": "45.00"
                     *       },
                     *       {
                     *         "name": "Gift wrapping",
                     *         "quantity": 1,
                     *         "unit_price": "15.00"
                     *       },
                     *       {
                     *         "name": "Voucher",
                     *         "quantity": 1,
                     *         "unit_price": "-5.00"
                     *       }
                     *     ]
                     */
                    items?: {
                        /**
                         * @description What it is.
                         * @example Sea Grape Stories, paperback
                         */
                        name: string;
                        /**
                         * @description How many.
                         * @example 2
                         */
                        quantity: number;
                        /**
                         * @description The price of one, in the currency of the total; below zero for a discount.
                         * @example 45.00
                         */
                        unit_price: number | string;
                    }[] | string;
                    /**
                     * @description Who pays the fee.
                     * @example customer_pay
                     * @enum {string}
                     */
                    fee_structure: "customer_pay" | "merchant_absorb" | "split";
                    /**
                     * @description Shown under the title, and behind it in the description of each payment.
                     * @example Saturdays at 7, by the jetty
                     */
                    description?: string;
                    /**
                     * @description How often it may be paid. Without it any number of times.
                     * @example 20
                     */
                    max_payments?: number;
                    /**
                     * Format: date-time
                     * @description When it closes. A payment page that is open then may still be finished.
                     * @example 2027-01-31T12:00:00Z
                     */
                    expires_at?: string;
                    /**
                     * @description The label of a field that the customer fills in; what is typed there is the payment's `link_reference`.
                     * @example Your name
                     */
                    reference_label?: string;
                    /**
                     * @description What the customer reads after paying, where there is no success_url.
                     * @example See you there!
                     */
                    success_message?: string;
                    /**
                     * Format: uri
                     * @description Where the browser goes after paying, with the same signed parameters as a `response_url`.
                     * @example https://shop.example/paid
                     */
                    success_url?: string;
                    /**
                     * @description Of its pages and receipts. Without it the browser's.
                     * @example en
                     * @enum {string}
                     */
                    language?: "en" | "es" | "fr" | "nl";
                    /**
                     * @description Your own, to group links by. Customers do not see it.
                     * @example Classes
                     */
                    label?: string;
                };
            };
        };
        responses: {
            /** @description The link */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Created",
                     *       "data": {
                     *         "id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "url": "https://pay.example.com/pay/k7m2qx9sdh4vwp",
                     *         "qr_svg_url": "https://pay.example.com/pay/k7m2qx9sdh4vwp/qr.svg",
                     *         "qr_png_url": "https://pay.example.com/pay/k7m2qx9sdh4vwp/qr.png",
                     *         "active": true,
                     *         "state": "open",
                     *         "environment": "sandbox",
                     *         "title": "Yoga class",
                     *         "label": "Classes",
                     *         "currency": "TTD",
                     *         "amount": "120.00",
                     *         "amount_min": null,
                     *         "amount_max": null,
                     *         "description": "Saturdays at 7, by the jetty",
                     *         "items": null,
                     *         "fee_structure": "customer_pay",
                     *         "max_payments": 20,
                     *         "expires_at": null,
                     *         "reference_label": "Your name",
                     *         "success_message": "See you there!",
                     *         "success_url": null,
                     *         "language": null,
                     *         "paid_count": 3,
                     *         "paid_total": "360.00",
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "changed_at": "2026-11-15T14:03:07.412Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Created";
                        data: components["schemas"]["PaymentLink"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-payment-links-id": {
        parameters: {
            query?: {
                /**
                 * @description Absent: as far as the credential reaches.
                 * @example sandbox
                 */
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                /**
                 * @description Of the link.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "url": "https://pay.example.com/pay/k7m2qx9sdh4vwp",
                     *         "qr_svg_url": "https://pay.example.com/pay/k7m2qx9sdh4vwp/qr.svg",
                     *         "qr_png_url": "https://pay.example.com/pay/k7m2qx9sdh4vwp/qr.png",
                     *         "active": true,
                     *         "state": "open",
                     *         "environment": "sandbox",
                     *         "title": "Yoga class",
                     *         "label": "Classes",
                     *         "currency": "TTD",
                     *         "amount": "120.00",
                     *         "amount_min": null,
                     *         "amount_max": null,
                     *         "description": "Saturdays at 7, by the jetty",
                     *         "items": null,
                     *         "fee_structure": "customer_pay",
                     *         "max_payments": 20,
                     *         "expires_at": null,
                     *         "reference_label": "Your name",
                     *         "success_message": "See you there!",
                     *         "success_url": null,
                     *         "language": null,
                     *         "paid_count": 3,
                     *         "paid_total": "360.00",
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "changed_at": "2026-11-15T14:03:07.412Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["PaymentLink"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "patch-payment-links-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the link.
                 * @example 7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Absent: as far as the credential reaches. May be given in the query instead.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment?: "live" | "sandbox";
                    /**
                     * @description What is paid for; the heading of the page.
                     * @example Yoga class
                     */
                    title?: string;
                    /**
                     * @description False: no card is taken for it any more, from this answer on.
                     * @example false
                     */
                    active?: boolean;
                    /**
                     * @description Shown under the title, and behind it in the description of each payment.
                     * @example Saturdays at 7, by the jetty
                     */
                    description?: string | null;
                    /**
                     * @description How often it may be paid. Without it any number of times.
                     * @example 20
                     */
                    max_payments?: number | null;
                    /**
                     * Format: date-time
                     * @description When it closes. A payment page that is open then may still be finished.
                     * @example 2027-01-31T12:00:00Z
                     */
                    expires_at?: string | null;
                    /**
                     * @description The label of a field that the customer fills in; what is typed there is the payment's `link_reference`.
                     * @example Your name
                     */
                    reference_label?: string | null;
                    /**
                     * @description What the customer reads after paying, where there is no success_url.
                     * @example See you there!
                     */
                    success_message?: string | null;
                    /**
                     * Format: uri
                     * @description Where the browser goes after paying, with the same signed parameters as a `response_url`.
                     * @example https://shop.example/paid
                     */
                    success_url?: string | null;
                    /**
                     * @description Of its pages and receipts. Without it the browser's.
                     * @example en
                     * @enum {string|null}
                     */
                    language?: "en" | "es" | "fr" | "nl" | null;
                    /**
                     * @description Your own, to group links by. Customers do not see it.
                     * @example Classes
                     */
                    label?: string | null;
                    /** @description Cannot be changed: make a new link. */
                    currency?: unknown;
                    /** @description Cannot be changed: make a new link. */
                    amount?: unknown;
                    /** @description Cannot be changed: make a new link. */
                    amount_min?: unknown;
                    /** @description Cannot be changed: make a new link. */
                    amount_max?: unknown;
                    /** @description Cannot be changed: make a new link. */
                    items?: unknown;
                    /** @description Cannot be changed: make a new link. */
                    fee_structure?: unknown;
                };
            };
        };
        responses: {
            /** @description The link as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "id": "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f",
                     *         "url": "https://pay.example.com/pay/k7m2qx9sdh4vwp",
                     *         "qr_svg_url": "https://pay.example.com/pay/k7m2qx9sdh4vwp/qr.svg",
                     *         "qr_png_url": "https://pay.example.com/pay/k7m2qx9sdh4vwp/qr.png",
                     *         "active": true,
                     *         "state": "open",
                     *         "environment": "sandbox",
                     *         "title": "Yoga class",
                     *         "label": "Classes",
                     *         "currency": "TTD",
                     *         "amount": "120.00",
                     *         "amount_min": null,
                     *         "amount_max": null,
                     *         "description": "Saturdays at 7, by the jetty",
                     *         "items": null,
                     *         "fee_structure": "customer_pay",
                     *         "max_payments": 20,
                     *         "expires_at": null,
                     *         "reference_label": "Your name",
                     *         "success_message": "See you there!",
                     *         "success_url": null,
                     *         "language": null,
                     *         "paid_count": 3,
                     *         "paid_total": "360.00",
                     *         "created_at": "2026-11-15T14:03:07.412Z",
                     *         "changed_at": "2026-11-15T14:03:07.412Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["PaymentLink"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-sandbox-clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "now": "2026-12-18T12:00:00.000Z",
                     *         "real_time": "2026-11-15T14:03:07.412Z",
                     *         "shift_seconds": 2592000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["SandboxClock"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-sandbox-clock": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get the first answer again instead of a second effect.
                 * @example order-1-attempt-1
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description By so many seconds. Either this or `set`.
                     * @example 180
                     */
                    advance?: number;
                    /**
                     * Format: date-time
                     * @description To that time.
                     */
                    set?: string;
                };
            };
        };
        responses: {
            /** @description The clock as it is now */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "now": "2026-12-18T12:00:00.000Z",
                     *         "real_time": "2026-11-15T14:03:07.412Z",
                     *         "shift_seconds": 2592000
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["SandboxClock"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-sandbox-snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": [
                     *         {
                     *           "name": "before-refunds",
                     *           "made_at": "2026-11-15T14:03:07.412Z",
                     *           "now": "2026-11-15T14:03:07.412Z",
                     *           "shift_seconds": 0,
                     *           "bytes": 12582912
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /** @description What was asked for. */
                        data: components["schemas"]["SandboxSnapshot"][];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-sandbox-snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description 1 to 40 small letters, digits and hyphens.
                     * @example before-refunds
                     */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The snapshot */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "Created",
                     *       "data": {
                     *         "name": "before-refunds",
                     *         "made_at": "2026-11-15T14:03:07.412Z",
                     *         "now": "2026-11-15T14:03:07.412Z",
                     *         "shift_seconds": 0,
                     *         "bytes": 12582912
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "Created";
                        data: components["schemas"]["SandboxSnapshot"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "post-sandbox-snapshots-name-restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the snapshot.
                 * @example before-refunds
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshot that was restored */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "data": {
                     *         "name": "before-refunds",
                     *         "made_at": "2026-11-15T14:03:07.412Z",
                     *         "now": "2026-11-15T14:03:07.412Z",
                     *         "shift_seconds": 0,
                     *         "bytes": 12582912
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        data: components["schemas"]["SandboxSnapshot"];
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "delete-sandbox-snapshots-name": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of the snapshot.
                 * @example before-refunds
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "OK",
                     *       "checks": [
                     *         {
                     *           "check": "process",
                     *           "ready": true,
                     *           "for_seconds": 86400
                     *         },
                     *         {
                     *           "check": "database",
                     *           "ready": true,
                     *           "for_seconds": 86400
                     *         },
                     *         {
                     *           "check": "migrations",
                     *           "ready": true,
                     *           "for_seconds": 86400
                     *         }
                     *       ],
                     *       "gateways": {
                     *         "live": "up",
                     *         "sandbox": "up"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description That it was done.
                         * @constant
                         */
                        message: "OK";
                        /**
                         * @description What it depends on. It is ready when each of them is.
                         * @example [
                         *       {
                         *         "check": "process",
                         *         "ready": true,
                         *         "for_seconds": 86400
                         *       },
                         *       {
                         *         "check": "database",
                         *         "ready": true,
                         *         "for_seconds": 86400
                         *       },
                         *       {
                         *         "check": "migrations",
                         *         "ready": true,
                         *         "for_seconds": 86400
                         *       }
                         *     ]
                         */
                        checks: {
                            /**
                             * @description What was looked at.
                             * @example process
                             * @enum {string}
                             */
                            check: "process" | "database" | "migrations";
                            /**
                             * @description Whether it is in order.
                             * @example true
                             */
                            ready: boolean;
                            /**
                             * @description How long it has been so.
                             * @example 86400
                             */
                            for_seconds: number;
                            /**
                             * @description What is wrong; absent while it is ready.
                             * @example The database does not answer.
                             */
                            why?: string;
                        }[];
                        /** @description Whether the card acquirers answer. It is ready without them, too. */
                        gateways: {
                            /**
                             * @description Of live payments; `none`: not configured.
                             * @example up
                             * @enum {string}
                             */
                            live: "up" | "down" | "none";
                            /**
                             * @description Of sandbox payments; `none`: not configured.
                             * @example up
                             * @enum {string}
                             */
                            sandbox: "up" | "down" | "none";
                        };
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Text */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-collections": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of an answer that you have: 304 when it has not changed.
                 * @example "kZ0mP4fV1s3QxYb7Tn9a2w"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-collections-file": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of an answer that you have: 304 when it has not changed.
                 * @example "kZ0mP4fV1s3QxYb7Tn9a2w"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description A name that the page lists.
                 * @example windward-latest.postman_collection.json
                 */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "info": {
                     *         "name": "Windward 2.0.5"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description In Postman's form. */
                        info?: unknown;
                    } & {
                        [key: string]: unknown;
                    };
                    "text/plain": string;
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-openapi-json": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of an answer that you have: 304 when it has not changed.
                 * @example "kZ0mP4fV1s3QxYb7Tn9a2w"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "…": "…"
                     *     }
                     */
                    "application/json": {
                        /** @description The version of OpenAPI. */
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-docs": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of an answer that you have: 304 when it has not changed.
                 * @example "kZ0mP4fV1s3QxYb7Tn9a2w"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-docs-reference-js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A script */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-docs-errors": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of an answer that you have: 304 when it has not changed.
                 * @example "kZ0mP4fV1s3QxYb7Tn9a2w"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
    "get-docs-errors-code": {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The ETag of an answer that you have: 304 when it has not changed.
                 * @example "kZ0mP4fV1s3QxYb7Tn9a2w"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description From X-SVC-Error.
                 * @example field_required
                 */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-SVC-Version": components["headers"]["X-SVC-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    "Content-Encoding": components["headers"]["Content-Encoding"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Refused, in one sentence */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        message: string;
                    };
                };
            };
        };
    };
}
