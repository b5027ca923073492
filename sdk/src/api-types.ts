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
         * @description At most 5 a minute from one address.
         */
        post: operations["post-auth-tokens"];
        /**
         * Sign out: revoke the token and everything refreshed with it
         * @description At most 5 a minute from one address.
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
         * @description Works once per token and keeps the scopes. If the answer is lost, the same request within ten seconds gives the same pair; any other reuse ends the whole sign-in. At most 5 a minute from one address.
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
         * @description At most 1200 a minute for each credential.
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
         * @description At most 1200 a minute from one address.
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
         * @description At most 20 a minute for each credential.
         */
        get: operations["get-auth-keys"];
        put?: never;
        /**
         * Make an API key
         * @description The key carries at most the scopes of the token that makes it, and is shown only here. At most 20 a minute for each credential.
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
         * @description At most 20 a minute for each credential.
         */
        get: operations["get-auth-keys-kid"];
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description At most 20 a minute for each credential.
         */
        delete: operations["delete-auth-keys-kid"];
        options?: never;
        head?: never;
        /**
         * Change an API key's name, addresses or expiry
         * @description At most 20 a minute for each credential.
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
         * @description At most 20 a minute for each credential.
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
         * @description Everything that happened, oldest first. Remember the `sequence` of the last event you have dealt with and ask for what came `after` it: nothing is missed and nothing comes twice. Each event is byte for byte what webhook endpoints are sent. At most 1200 a minute for each credential.
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
         * @description A bmp, gif, jpeg, png or svg of at most 5 MB and 25 million pixels. It is kept as a PNG of 200 by 200 pixels, filled, without metadata. A client that cannot send a file with PATCH sends it here with a field `_method` set to PATCH. At most 5 a minute for each account.
         */
        post: operations["post-user-picture"];
        /**
         * Remove the profile picture
         * @description At most 5 a minute for each account.
         */
        delete: operations["delete-user-picture"];
        options?: never;
        head?: never;
        /**
         * Replace the profile picture
         * @description The new picture has a new address; the old address leads nowhere. At most 5 a minute for each account.
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
         * @description The address is in the profile. It cannot be guessed, and changes with the picture. At most 1200 a minute from one address.
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
    "/transactions/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions
         * @description Newest first. Follow the links: they carry `as_of`, so that nothing is missed or repeated while new transactions come; a `page` without it is of this moment. `total` is exact, except in lists of more than 10,000 transactions more than 1,000 of which fit `total_min` and `total_max`: then it is how many are known so far, and `links.next` tells whether there are more. As CSV (`Accept: text/csv` or `format=csv`) all pages come as one. At most 1200 a minute for each credential.
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
         * @description The same figures, to the cent, as a payment of that amount would have at this moment. At most 1200 a minute for each credential.
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
         * @description At most 1200 a minute for each credential.
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
         * @description At most 1200 a minute for each credential.
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
         * @description Gives back to the customer what was paid, or part of it; the fee is not given back to the merchant. The merchant's funds are held at once; the transaction's `status_desc` and `refunded_total` tell how it ends. At most 1200 a minute for each credential.
         */
        post: operations["post-transactions-transaction-id-refund"];
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
         * @description At most 1200 a minute for each credential.
         */
        get: operations["get-user-payment-key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description From the answer on every result, also of payments under way, is told with the new keys and the old ones are worth nothing. An Idempotency-Key that repeats does not show them again: read them. At most 1200 a minute for each credential.
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
         * @description Newest first. Filters combine. Follow the links: they carry `as_of`, so that nothing is missed or repeated while new withdrawals come. At most 1200 a minute for each credential.
         */
        get: operations["get-withdrawals"];
        put?: never;
        /**
         * Ask for a withdrawal
         * @description Amount and fee are held at once. `normal` pays the account's own bank for the currency, as it is at this moment; the others are for main merchants. Takes a bearer token only. Give an `Idempotency-Key`, and a request that is sent twice pays once. At most 1200 a minute for each credential.
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
         * @description At most 1200 a minute for each credential.
         */
        get: operations["get-withdrawals-transaction-id"];
        put?: never;
        post?: never;
        /**
         * Cancel a pending withdrawal
         * @description Amount and fee are back at once. It stays in the history under `with_deleted`. At most 1200 a minute for each credential.
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
         * @description Needs no credential; with one, it is that of the caller's platform. Keep it with its ETag. At most 1200 a minute from one address.
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
         * @description It is on its maker's platform, and neither verified nor a main merchant. At most 1200 a minute for each credential.
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
         * @description At most 1200 a minute for each credential.
         */
        get: operations["get-accounts-account-number"];
        put?: never;
        post?: never;
        /**
         * Delete an account
         * @description It is closed for good: sign-ins, tokens and keys end at once, and its e-mail stays taken. At most 1200 a minute for each credential.
         */
        delete: operations["delete-accounts-account-number"];
        options?: never;
        head?: never;
        /**
         * Change an account's e-mail, names or phone
         * @description At least one of them. What else is sent is ignored. At most 1200 a minute for each credential.
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
         * @description At most 1200 a minute for each credential.
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
         * @description Every other sign-in ends at once, wherever it is used. API keys stay. At most 5 a minute for each account.
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
         * @description At most 5 a minute for each account.
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
         * @description At most 1200 a minute for each credential.
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
         * @description At most 1200 a minute for each credential.
         */
        get: operations["get-user-banks-local"];
        put?: never;
        /**
         * Add the local bank account
         * @description At most 1200 a minute for each credential.
         */
        post: operations["post-user-banks-local"];
        /**
         * Remove the local bank account
         * @description At most 1200 a minute for each credential.
         */
        delete: operations["delete-user-banks-local"];
        options?: never;
        head?: never;
        /**
         * Change the local bank account
         * @description At least one field. What is not sent stays as it is, and the whole must be right; another bank comes with its own number and branch. An optional field can be replaced, not taken away: remove the bank account and add it again. At most 1200 a minute for each credential.
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
         * @description At most 1200 a minute for each credential.
         */
        get: operations["get-user-banks-foreign"];
        put?: never;
        /**
         * Add the foreign bank account
         * @description At most 1200 a minute for each credential.
         */
        post: operations["post-user-banks-foreign"];
        /**
         * Remove the foreign bank account
         * @description At most 1200 a minute for each credential.
         */
        delete: operations["delete-user-banks-foreign"];
        options?: never;
        head?: never;
        /**
         * Change the foreign bank account
         * @description At least one field. What is not sent stays as it is, and the whole must be right; another bank comes with its own number and branch. An optional field can be replaced, not taken away: remove the bank account and add it again. At most 1200 a minute for each credential.
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
         * @description At most 1200 a minute for each credential.
         */
        get: operations["get-webhooks"];
        put?: never;
        /**
         * Make a webhook endpoint
         * @description From then on the events of its environment are sent to it. Its secret is shown only here. At most 1200 a minute for each credential.
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
         * @description At most 1200 a minute for each credential.
         */
        get: operations["get-webhooks-id"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Cancels what waits. Once it is answered nothing more is sent. At most 1200 a minute for each credential.
         */
        delete: operations["delete-webhooks-id"];
        options?: never;
        head?: never;
        /**
         * Change, disable or enable a webhook endpoint
         * @description Disabling cancels what waits, and nothing more is sent once it is answered. Enabling sends what happens from then on; a replay sends what was missed. At most 1200 a minute for each credential.
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
         * @description The old secret signs beside the new one for 24 hours. Rotating again ends the oldest at once. At most 1200 a minute for each credential.
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
         * @description A `webhook.test`, sent to this endpoint alone. How it went is told by its deliveries. At most 1200 a minute for each credential.
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
         * @description Newest first, the newest 10,000 of those asked for: `until` leads to older ones. What has ended is kept for 30 days. At most 1200 a minute for each credential.
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
         * @description The same event under the same id, with a new time, signature and round of attempts. At most 1200 a minute for each credential.
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
         * @description By the endpoint's own filter, also what it was never sent. One request looks at 2,000 events, oldest first; when `is_complete` is false, send it again with the `since` and `after` of `next`. At most 1200 a minute for each credential.
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
         * @description Answers with the address of a page at which the customer pays, and with the id that the payment has from then on. That is no confirmation of payment. A form that a browser posts (its Accept has text/html) is sent on to the page, or back to `response_url` with the reason; everybody else reads JSON and is never redirected. At most 600 a minute from one address.
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
         * @description At most 1200 a minute from one address.
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
         * @description At most 1200 a minute from one address.
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
         * @description At most 1200 a minute from one address.
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
         * @description At most 1200 a minute from one address.
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
         * @description At most 1200 a minute for each credential.
         */
        get: operations["get-trusted-cards"];
        put?: never;
        /**
         * Ask a customer to save a card
         * @description Answers with the address of a page at which the customer enters a card. A small amount between 0.50 and 0.99 USD is charged to prove it; the customer reads it from the card's statement, you verify the card with it, and it is returned. The browser comes back to `response_url` with `status`, `transaction_id`, the card's `uuid` and, in the sandbox alone, the amount as `total`. At most 1200 a minute for each credential.
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
         * @description At most 1200 a minute for each credential.
         */
        get: operations["get-trusted-cards-uuid"];
        put?: never;
        post?: never;
        /**
         * Delete a card
         * @description Nobody can charge it any more. If it was not verified, the small amount is returned. At most 1200 a minute for each credential.
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
         * @description With the small amount that its holder read from the statement, within 24 hours. The third wrong amount deletes the card. Either way the amount is returned. At most 5 a minute for each account.
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
         * @description Answers with the address of a page at which the customer enters the card's security code and, where the card's bank asks, confirms the payment. Everything else is as with a payment request: the redirect, its hash, the transaction and its events. At most 1200 a minute for each credential.
         */
        post: operations["post-trusted-cards-uuid-charge"];
        delete?: never;
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
        /** Is the process alive? */
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
        /** May it be given traffic? */
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
        /** Counters and timings for Prometheus */
        get: operations["get-metrics"];
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
         * @description At most 1200 a minute from one address.
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
         * The reference, to read and try
         * @description At most 1200 a minute from one address.
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
         * The script of the reference page
         * @description At most 1200 a minute from one address.
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
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            message: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
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
                     * @description Scope names separated by spaces. Known are: svc-accounts-all, svc-accounts-create, svc-accounts-delete, svc-accounts-retrieve, svc-accounts-update, svc-transactions-all, svc-transactions-retrieve, svc-transactions-get-fees, svc-transactions-refund-request, svc-trusted-cards-all, svc-trusted-cards-charge-request, svc-trusted-cards-create, svc-trusted-cards-delete, svc-trusted-cards-retrieve, svc-trusted-cards-verify, svc-user-all, svc-user-create, svc-user-delete, svc-user-retrieve, svc-user-update, svc-withdrawals-all, svc-withdrawals-create, svc-withdrawals-delete, svc-withdrawals-retrieve. The names of 1.x are understood.
                     * @example svc-user-all svc-transactions-retrieve
                     */
                    scopes: string;
                };
            };
        };
        responses: {
            /** @description Signed in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        /** @constant */
                        token_type: "Bearer";
                        /** @constant */
                        expires_in: 43200;
                        access_token: string;
                        refresh_token: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                    /** @description The refresh token of the last answer. */
                    refresh_token: string;
                };
            };
        };
        responses: {
            /** @description A new pair */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        /** @constant */
                        token_type: "Bearer";
                        /** @constant */
                        expires_in: 43200;
                        access_token: string;
                        refresh_token: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            account_number: string;
                            account_type: "PERSONAL" | "BUSINESS";
                            country_code: string;
                            main_merchant: boolean;
                            credential: "bearer" | "api_key";
                            kid: string | null;
                            environments: ("live" | "sandbox")[];
                            scopes: string[];
                            expires_at: string | null;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                page?: number;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            kid: string;
                            name: string | null;
                            environment: "live" | "test";
                            status: "active" | "expired" | "revoked";
                            scopes: string[];
                            allowed_cidrs: string[];
                            /** Format: date-time */
                            created_at: string;
                            expires_at: string | null;
                            last_used_at: string | null;
                            rotated_to: string | null;
                        }[];
                        meta: {
                            page: number;
                            page_size: number;
                            total: number;
                            last_page: number;
                        };
                        links: {
                            first: string;
                            prev: string | null;
                            next: string | null;
                            last: string;
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
    "post-auth-keys": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
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
                     * @description Which data the key reaches.
                     * @example test
                     * @enum {string}
                     */
                    environment: "live" | "test";
                    /**
                     * @description Scope names separated by spaces. Known are: svc-accounts-all, svc-accounts-create, svc-accounts-delete, svc-accounts-retrieve, svc-accounts-update, svc-transactions-all, svc-transactions-retrieve, svc-transactions-get-fees, svc-transactions-refund-request, svc-trusted-cards-all, svc-trusted-cards-charge-request, svc-trusted-cards-create, svc-trusted-cards-delete, svc-trusted-cards-retrieve, svc-trusted-cards-verify, svc-user-all, svc-user-create, svc-user-delete, svc-user-retrieve, svc-user-update, svc-withdrawals-all, svc-withdrawals-create, svc-withdrawals-delete, svc-withdrawals-retrieve. The names of 1.x are understood.
                     * @example svc-user-all svc-transactions-retrieve
                     */
                    scopes: string | ("svc-accounts-all" | "svc-accounts-create" | "svc-accounts-delete" | "svc-accounts-retrieve" | "svc-accounts-update" | "svc-transactions-all" | "svc-transactions-retrieve" | "svc-transactions-get-fees" | "svc-transactions-refund-request" | "svc-trusted-cards-all" | "svc-trusted-cards-charge-request" | "svc-trusted-cards-create" | "svc-trusted-cards-delete" | "svc-trusted-cards-retrieve" | "svc-trusted-cards-verify" | "svc-user-all" | "svc-user-create" | "svc-user-delete" | "svc-user-retrieve" | "svc-user-update" | "svc-withdrawals-all" | "svc-withdrawals-create" | "svc-withdrawals-delete" | "svc-withdrawals-retrieve")[];
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
                     * @description When the key stops working.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Created";
                        data: {
                            kid: string;
                            name: string | null;
                            environment: "live" | "test";
                            status: "active" | "expired" | "revoked";
                            scopes: string[];
                            allowed_cidrs: string[];
                            /** Format: date-time */
                            created_at: string;
                            expires_at: string | null;
                            last_used_at: string | null;
                            rotated_to: string | null;
                            /** @description The whole key. Shown once: not even a replay shows it again. */
                            key?: string;
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
    "get-auth-keys-kid": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            kid: string;
                            name: string | null;
                            environment: "live" | "test";
                            status: "active" | "expired" | "revoked";
                            scopes: string[];
                            allowed_cidrs: string[];
                            /** Format: date-time */
                            created_at: string;
                            expires_at: string | null;
                            last_used_at: string | null;
                            rotated_to: string | null;
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
    "delete-auth-keys-kid": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoked, on every process */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                    expires_at?: string | "never";
                };
            };
        };
        responses: {
            /** @description The key as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            kid: string;
                            name: string | null;
                            environment: "live" | "test";
                            status: "active" | "expired" | "revoked";
                            scopes: string[];
                            allowed_cidrs: string[];
                            /** Format: date-time */
                            created_at: string;
                            expires_at: string | null;
                            last_used_at: string | null;
                            rotated_to: string | null;
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
    "post-auth-keys-kid-rotate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Created";
                        data: {
                            kid: string;
                            name: string | null;
                            environment: "live" | "test";
                            status: "active" | "expired" | "revoked";
                            scopes: string[];
                            allowed_cidrs: string[];
                            /** Format: date-time */
                            created_at: string;
                            expires_at: string | null;
                            last_used_at: string | null;
                            rotated_to: string | null;
                            /** @description The whole key. Shown once: not even a replay shows it again. */
                            key?: string;
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
    "get-events": {
        parameters: {
            query?: {
                environment?: "live" | "sandbox";
                after?: number;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            /** @example evt_019a86f0c4d27b1e5a3f9c2d8e4b6a70 */
                            id: string;
                            api_family: "payments_api" | "account_api";
                            event: "payment.created" | "payment.success" | "payment.failed" | "payment.error" | "payment.late_approval_voided" | "payment.refund_requested" | "payment.refunded" | "payment.refund_rejected" | "payment.chargeback_pending" | "payment.chargeback_processed" | "payment.chargeback_released" | "payment.fraud_confirmed" | "withdrawal.pending" | "withdrawal.processing" | "withdrawal.held" | "withdrawal.released" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled" | "trusted_card.created" | "trusted_card.verified" | "trusted_card.deleted" | "webhook.test" | "webhook.failing" | "webhook.disabled";
                            /** @description Without a gap, in the order of commits. */
                            sequence: number;
                            /** Format: date-time */
                            occurred_at: string;
                            /** @description The record, as it was after the change. */
                            data: Record<string, unknown>;
                            meta: {
                                transaction_id: string | null;
                                environment: "live" | "sandbox";
                                account_number: string;
                            };
                        }[];
                        meta: {
                            after: number;
                            page_size: number;
                            /** @description That of the newest event, 0 without any. */
                            last_sequence: number;
                        };
                        links: {
                            first: string;
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
    "post-user-picture": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                    };
                };
            };
            /** @description Added */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                    /** Format: binary */
                    picture: Blob;
                };
            };
        };
        responses: {
            /** @description Replaced */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                picture_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture */
            200: {
                headers: {
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
                environment?: "live" | "sandbox";
                status?: "incomplete" | "success" | "failed" | "error";
                currency?: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                order_id?: string;
                start_date?: string;
                end_date?: string;
                total_min?: number;
                total_max?: number;
                page?: number;
                page_size?: number;
                as_of?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            transaction_id: string;
                            order_id: string;
                            environment: "live" | "sandbox";
                            country_code: "BB" | "GD" | "GY" | "JM" | "TT";
                            currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                            /** @description What was asked for. */
                            total: string;
                            /** @description What the customer pays. */
                            customer_total: string;
                            fee: string;
                            /** @description What the merchant gets. */
                            net: string;
                            fee_structure: "customer_pay" | "merchant_absorb" | "split";
                            method: string;
                            origin: string | null;
                            status: "incomplete" | "success" | "failed" | "error";
                            status_desc: "Normal" | "Refund Requested" | "Refunded" | "Refund Rejected" | "Chargeback Pending" | "Chargeback Processed" | "Fraud Confirmed";
                            message: string | null;
                            card: string | null;
                            customer: {
                                email?: string;
                                fname?: string;
                                lname?: string;
                                addr1?: string;
                                addr2?: string;
                                city?: string;
                                state?: string;
                                zipcode?: string;
                                country?: string;
                                phone?: string;
                            };
                            data: string;
                            refunded_total: string;
                            /** Format: date-time */
                            created_at: string;
                            finalised_at: string | null;
                        }[];
                        meta: {
                            page: number;
                            page_size: number;
                            total: number;
                            last_page: number;
                        };
                        links: {
                            first: string;
                            prev: string | null;
                            next: string | null;
                            last: string;
                        };
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
                fee_structure: "customer_pay" | "merchant_absorb" | "split";
                currency: string;
                amount: number;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            fee_structure: string;
                            currency: string;
                            amount: string;
                            fee: {
                                percentage: string;
                                fixed: string;
                                tax: string;
                                total: string;
                            };
                            customer: {
                                fee: string;
                                total: string;
                            };
                            merchant: {
                                fee: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            currencies: string[];
                            environments: string[];
                            fee_structures: string[];
                            totals: {
                                [key: string]: {
                                    minimum: number;
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
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transaction */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            transaction_id: string;
                            order_id: string;
                            environment: "live" | "sandbox";
                            country_code: "BB" | "GD" | "GY" | "JM" | "TT";
                            currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                            /** @description What was asked for. */
                            total: string;
                            /** @description What the customer pays. */
                            customer_total: string;
                            fee: string;
                            /** @description What the merchant gets. */
                            net: string;
                            fee_structure: "customer_pay" | "merchant_absorb" | "split";
                            method: string;
                            origin: string | null;
                            status: "incomplete" | "success" | "failed" | "error";
                            status_desc: "Normal" | "Refund Requested" | "Refunded" | "Refund Rejected" | "Chargeback Pending" | "Chargeback Processed" | "Fraud Confirmed";
                            message: string | null;
                            card: string | null;
                            customer: {
                                email?: string;
                                fname?: string;
                                lname?: string;
                                addr1?: string;
                                addr2?: string;
                                city?: string;
                                state?: string;
                                zipcode?: string;
                                country?: string;
                                phone?: string;
                            };
                            data: string;
                            refunded_total: string;
                            /** Format: date-time */
                            created_at: string;
                            finalised_at: string | null;
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
    "post-transactions-transaction-id-refund": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description In the transaction's currency. Absent: all that is left of what the customer paid.
                     * @example 25.00
                     */
                    amount?: number;
                    /** @description For the merchant's own books. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The refund has been asked for, and the funds are held */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Refund request successfully created.";
                        data: {
                            refund: {
                                /** Format: uuid */
                                refund_id: string;
                                transaction_id: string;
                                environment: "live" | "sandbox";
                                currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                                amount: string;
                                reason: string | null;
                                status: "requested" | "refunded" | "rejected";
                                /** Format: date-time */
                                created_at: string;
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
    "get-user-payment-key": {
        parameters: {
            query?: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            environment: "live" | "sandbox";
                            /** @description Goes into the MD5 hash of a success. */
                            hash_key?: string;
                            /** @description Keys the signature. */
                            signing_secret?: string;
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
    "post-user-payment-key-rotate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Whose keys; no default, on purpose.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            environment: "live" | "sandbox";
                            /** @description Goes into the MD5 hash of a success. */
                            hash_key?: string;
                            /** @description Keys the signature. */
                            signing_secret?: string;
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
    "get-withdrawals": {
        parameters: {
            query?: {
                environment?: "live" | "sandbox";
                currency?: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                withdrawal_type?: ("normal" | "sub_banked" | "sub_unbanked")[];
                status?: ("pending" | "processing" | "held" | "completed" | "failed" | "cancelled")[];
                amount_min?: number;
                amount_max?: number;
                reference?: string;
                transaction_id?: string;
                start_date?: string;
                end_date?: string;
                with_deleted?: boolean;
                page?: number;
                page_size?: number;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            transaction_id: string;
                            /** Format: uuid */
                            reference: string;
                            withdrawal_type: "normal" | "sub_banked" | "sub_unbanked";
                            environment: "live" | "sandbox";
                            currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                            amount: string;
                            /** @description Taken beside the amount. */
                            fee: string;
                            status: "pending" | "processing" | "held" | "completed" | "failed" | "cancelled";
                            status_description: string;
                            data: string;
                            bank_name: string | null;
                            bank_account: string | null;
                            bank_account_type: string | null;
                            bank_branch: string | null;
                            name_in_bank: string | null;
                            recipient_name: string | null;
                            email: string | null;
                            phone: string | null;
                            id_type: string | null;
                            id_number: string | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            completed_at: string | null;
                            deleted_at: string | null;
                        }[];
                        meta: {
                            page: number;
                            page_size: number;
                            total: number;
                            last_page: number;
                        };
                        links: {
                            first: string;
                            prev: string | null;
                            next: string | null;
                            last: string;
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
    "post-withdrawals": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description To the account's own bank, to a bank account of somebody a main merchant pays, or to such a person without one.
                     * @example normal
                     * @enum {string}
                     */
                    withdrawal_type: "normal" | "sub_banked" | "sub_unbanked";
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
                    amount: number;
                    /**
                     * @description Told back wherever the withdrawal is shown and in events, exactly as it was sent.
                     * @default
                     * @example {"batch":7}
                     */
                    data?: string;
                    /**
                     * @description Absent: live.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment?: "live" | "sandbox";
                    /**
                     * @description Who is paid.
                     * @example Kerry-Ann Joseph
                     */
                    recipient_name?: string;
                    /**
                     * Format: email
                     * @description Of whoever is paid.
                     * @example kerry@example.com
                     */
                    email?: string;
                    /**
                     * @description Of whoever is paid, in E.164.
                     * @example +18685550123
                     */
                    phone?: string;
                    /**
                     * @description A bank of the platform, by the name that the metadata gives.
                     * @example First Citizens
                     */
                    bank_name?: string;
                    /**
                     * @description The account's number, leading zeros included; how many digits it has depends on the bank.
                     * @example 0012345678
                     */
                    bank_account?: string;
                    /**
                     * @description Whose account it is.
                     * @example Kerry-Ann Joseph
                     */
                    name_in_bank?: string;
                    /**
                     * @description The document that shows who is paid.
                     * @example passport
                     * @enum {string}
                     */
                    id_type?: "passport" | "national_id" | "driver_permit";
                    /**
                     * @description By the pattern of its kind in the metadata.
                     * @example TB123456
                     */
                    id_number?: string;
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
                } & ({
                    /** @constant */
                    withdrawal_type: "normal";
                } | {
                    /** @constant */
                    withdrawal_type: "sub_banked";
                } | {
                    /** @constant */
                    withdrawal_type: "sub_unbanked";
                });
            };
        };
        responses: {
            /** @description Asked for, and the money is held */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Created";
                        data: {
                            /** @description As it was sent; empty when it was not. */
                            data: string;
                            /** Format: uuid */
                            reference: string;
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
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The withdrawal */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            transaction_id: string;
                            /** Format: uuid */
                            reference: string;
                            withdrawal_type: "normal" | "sub_banked" | "sub_unbanked";
                            environment: "live" | "sandbox";
                            currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                            amount: string;
                            /** @description Taken beside the amount. */
                            fee: string;
                            status: "pending" | "processing" | "held" | "completed" | "failed" | "cancelled";
                            status_description: string;
                            data: string;
                            bank_name: string | null;
                            bank_account: string | null;
                            bank_account_type: string | null;
                            bank_branch: string | null;
                            name_in_bank: string | null;
                            recipient_name: string | null;
                            email: string | null;
                            phone: string | null;
                            id_type: string | null;
                            id_number: string | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                            completed_at: string | null;
                            deleted_at: string | null;
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
    "delete-withdrawals-transaction-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                transaction_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancelled */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                country_code?: "BB" | "GD" | "GY" | "JM" | "TT";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Banks, documents, statuses, kinds, fees and minimums */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            banks: {
                                /** @description What is sent as `bank_name`. */
                                name: string;
                                display_name: string;
                                account: {
                                    min_length: number;
                                    max_length: number;
                                };
                                account_types?: string[];
                                branches?: string[];
                            }[];
                            ids: {
                                type: string;
                                regex: string;
                            }[];
                            statuses: {
                                value: string;
                                description: string;
                                cancellable: boolean;
                                final: boolean;
                                next: string[];
                            }[];
                            withdrawal_types: string[];
                            /** @description Taken beside the amount. */
                            fees: {
                                [key: string]: string;
                            };
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
    "post-accounts": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
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
                     * @default PERSONAL
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Created";
                        data: {
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
                account_number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            account_number: string;
                            account_type: "PERSONAL" | "BUSINESS";
                            email: string;
                            first_name: string;
                            last_name: string;
                            phone: string | null;
                            verified: boolean;
                            /** Format: date-time */
                            created_at: string;
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
    "delete-accounts-account-number": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                account_number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Closed, on every process */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            account_number: string;
                            account_type: "PERSONAL" | "BUSINESS";
                            email: string;
                            first_name: string;
                            last_name: string;
                            phone: string | null;
                            verified: boolean;
                            /** Format: date-time */
                            created_at: string;
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
    "get-user": {
        parameters: {
            query?: {
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            account_number: string;
                            account_type: "PERSONAL" | "BUSINESS";
                            country_code: string;
                            email: string;
                            first_name: string;
                            last_name: string;
                            phone: string | null;
                            verified: boolean;
                            balances: {
                                local: {
                                    currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                                    balance: string;
                                    available: string;
                                    held: string;
                                };
                                foreign: {
                                    currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                                    balance: string;
                                    available: string;
                                    held: string;
                                };
                                others: {
                                    currency: "TTD" | "USD" | "BBD" | "XCD" | "JMD" | "GYD";
                                    balance: string;
                                    available: string;
                                    held: string;
                                }[];
                            };
                            bank_configured: {
                                local: boolean;
                                foreign: boolean;
                            };
                            profile_picture: string | null;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            local: {
                                bank_name: string;
                                bank_account: string;
                                name_in_bank: string;
                                bank_account_type: string | null;
                                bank_branch: string | null;
                            } | null;
                            foreign: {
                                beneficiary_name: string;
                                beneficiary_address: string;
                                beneficiary_account_number: string;
                                beneficiary_bank: string;
                                bank_address: string;
                                beneficiary_bank_swift_or_routing_code: string;
                                intermediary_bank: string | null;
                                intermediary_bank_address: string | null;
                                intermediary_bank_swift_code: string | null;
                                intermediary_bank_routing_number_or_aba: string | null;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            local: {
                                bank_name: string;
                                bank_account: string;
                                name_in_bank: string;
                                bank_account_type: string | null;
                                bank_branch: string | null;
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
    "post-user-banks-local": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            foreign: {
                                beneficiary_name: string;
                                beneficiary_address: string;
                                beneficiary_account_number: string;
                                beneficiary_bank: string;
                                bank_address: string;
                                beneficiary_bank_swift_or_routing_code: string;
                                intermediary_bank: string | null;
                                intermediary_bank_address: string | null;
                                intermediary_bank_swift_code: string | null;
                                intermediary_bank_routing_number_or_aba: string | null;
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
    "post-user-banks-foreign": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                environment?: "live" | "sandbox";
                page?: number;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            /** Format: uuid */
                            id: string;
                            url: string;
                            environment: "live" | "sandbox";
                            /** @description The events it is told of; `*`: every one. */
                            events: string[];
                            description: string | null;
                            status: "active" | "disabled";
                            /** @description asked: by its owner. gone: it answered 410. failing: 120 hours of nothing but failure. */
                            disabled_because: "asked" | "gone" | "failing" | null;
                            /** @description The first failure after which nothing succeeded. */
                            failing_since: string | null;
                            /** @description Until when the secret before the last rotation still signs beside the new one. */
                            previous_secret_until: string | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            changed_at: string;
                        }[];
                        meta: {
                            page: number;
                            page_size: number;
                            total: number;
                            last_page: number;
                        };
                        links: {
                            first: string;
                            prev: string | null;
                            next: string | null;
                            last: string;
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
    "post-webhooks": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
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
                    events?: string | ("payment.created" | "payment.success" | "payment.failed" | "payment.error" | "payment.late_approval_voided" | "payment.refund_requested" | "payment.refunded" | "payment.refund_rejected" | "payment.chargeback_pending" | "payment.chargeback_processed" | "payment.chargeback_released" | "payment.fraud_confirmed" | "withdrawal.pending" | "withdrawal.processing" | "withdrawal.held" | "withdrawal.released" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled" | "trusted_card.created" | "trusted_card.verified" | "trusted_card.deleted" | "webhook.test" | "webhook.failing" | "webhook.disabled" | "*")[];
                    /**
                     * @description Whose events; it cannot be changed.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Created";
                        data: {
                            /** Format: uuid */
                            id: string;
                            url: string;
                            environment: "live" | "sandbox";
                            /** @description The events it is told of; `*`: every one. */
                            events: string[];
                            description: string | null;
                            status: "active" | "disabled";
                            /** @description asked: by its owner. gone: it answered 410. failing: 120 hours of nothing but failure. */
                            disabled_because: "asked" | "gone" | "failing" | null;
                            /** @description The first failure after which nothing succeeded. */
                            failing_since: string | null;
                            /** @description Until when the secret before the last rotation still signs beside the new one. */
                            previous_secret_until: string | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            changed_at: string;
                            /**
                             * @description Signs what is sent. Shown once: not even a replay shows it again.
                             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
                             */
                            secret?: string;
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
    "get-webhooks-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            /** Format: uuid */
                            id: string;
                            url: string;
                            environment: "live" | "sandbox";
                            /** @description The events it is told of; `*`: every one. */
                            events: string[];
                            description: string | null;
                            status: "active" | "disabled";
                            /** @description asked: by its owner. gone: it answered 410. failing: 120 hours of nothing but failure. */
                            disabled_because: "asked" | "gone" | "failing" | null;
                            /** @description The first failure after which nothing succeeded. */
                            failing_since: string | null;
                            /** @description Until when the secret before the last rotation still signs beside the new one. */
                            previous_secret_until: string | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            changed_at: string;
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
    "delete-webhooks-id": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
            query?: never;
            header?: never;
            path: {
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
                    events?: string | ("payment.created" | "payment.success" | "payment.failed" | "payment.error" | "payment.late_approval_voided" | "payment.refund_requested" | "payment.refunded" | "payment.refund_rejected" | "payment.chargeback_pending" | "payment.chargeback_processed" | "payment.chargeback_released" | "payment.fraud_confirmed" | "withdrawal.pending" | "withdrawal.processing" | "withdrawal.held" | "withdrawal.released" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled" | "trusted_card.created" | "trusted_card.verified" | "trusted_card.deleted" | "webhook.test" | "webhook.failing" | "webhook.disabled" | "*")[];
                    /**
                     * @description A name to recognise the endpoint by.
                     * @example Web shop
                     */
                    description?: string;
                    /** @enum {string} */
                    status?: "active" | "disabled";
                };
            };
        };
        responses: {
            /** @description The endpoint as it is now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            /** Format: uuid */
                            id: string;
                            url: string;
                            environment: "live" | "sandbox";
                            /** @description The events it is told of; `*`: every one. */
                            events: string[];
                            description: string | null;
                            status: "active" | "disabled";
                            /** @description asked: by its owner. gone: it answered 410. failing: 120 hours of nothing but failure. */
                            disabled_because: "asked" | "gone" | "failing" | null;
                            /** @description The first failure after which nothing succeeded. */
                            failing_since: string | null;
                            /** @description Until when the secret before the last rotation still signs beside the new one. */
                            previous_secret_until: string | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            changed_at: string;
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
    "post-webhooks-id-rotate": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint and its new secret */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            /** Format: uuid */
                            id: string;
                            url: string;
                            environment: "live" | "sandbox";
                            /** @description The events it is told of; `*`: every one. */
                            events: string[];
                            description: string | null;
                            status: "active" | "disabled";
                            /** @description asked: by its owner. gone: it answered 410. failing: 120 hours of nothing but failure. */
                            disabled_because: "asked" | "gone" | "failing" | null;
                            /** @description The first failure after which nothing succeeded. */
                            failing_since: string | null;
                            /** @description Until when the secret before the last rotation still signs beside the new one. */
                            previous_secret_until: string | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            changed_at: string;
                            /**
                             * @description Signs what is sent. Shown once: not even a replay shows it again.
                             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
                             */
                            secret?: string;
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
    "post-webhooks-id-test": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is on its way */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Accepted";
                        data: {
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
                state?: "waiting" | "delivered" | "failed" | "cancelled";
                since?: string;
                until?: string;
                page?: number;
                page_size?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            /** Format: uuid */
                            id: string;
                            event: string;
                            event_id: string;
                            sequence: number;
                            state: "waiting" | "delivered" | "failed" | "cancelled";
                            /** @description All attempts, also those not shown. */
                            attempt_count: number;
                            /** @description The latest 20, oldest first. */
                            attempts: {
                                attempt: number;
                                /** Format: date-time */
                                began_at: string;
                                duration_ms: number | null;
                                response_status: number | null;
                                response_head: string | null;
                                failure: string | null;
                            }[];
                            /** @description As it is sent now; times and signatures are of each attempt. */
                            request: {
                                url: string;
                                headers: {
                                    [key: string]: string;
                                };
                                /** @description Byte for byte what is signed and sent. */
                                body: string;
                            };
                            next_attempt_at: string | null;
                            /** Format: date-time */
                            created_at: string;
                            ended_at: string | null;
                        }[];
                        meta: {
                            page: number;
                            page_size: number;
                            total: number;
                            last_page: number;
                        };
                        links: {
                            first: string;
                            prev: string | null;
                            next: string | null;
                            last: string;
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
    "post-webhooks-id-deliveries-delivery-resend": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
                delivery: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is due now */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Accepted";
                        data: {
                            /** Format: uuid */
                            id: string;
                            event: string;
                            event_id: string;
                            sequence: number;
                            state: "waiting" | "delivered" | "failed" | "cancelled";
                            /** @description All attempts, also those not shown. */
                            attempt_count: number;
                            /** @description The latest 20, oldest first. */
                            attempts: {
                                attempt: number;
                                /** Format: date-time */
                                began_at: string;
                                duration_ms: number | null;
                                response_status: number | null;
                                response_head: string | null;
                                failure: string | null;
                            }[];
                            /** @description As it is sent now; times and signatures are of each attempt. */
                            request: {
                                url: string;
                                headers: {
                                    [key: string]: string;
                                };
                                /** @description Byte for byte what is signed and sent. */
                                body: string;
                            };
                            next_attempt_at: string | null;
                            /** Format: date-time */
                            created_at: string;
                            ended_at: string | null;
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
    "post-webhooks-id-replay": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
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
                     *       "payment.success",
                     *       "payment.refunded"
                     *     ]
                     */
                    events?: string | ("payment.created" | "payment.success" | "payment.failed" | "payment.error" | "payment.late_approval_voided" | "payment.refund_requested" | "payment.refunded" | "payment.refund_rejected" | "payment.chargeback_pending" | "payment.chargeback_processed" | "payment.chargeback_released" | "payment.fraud_confirmed" | "withdrawal.pending" | "withdrawal.processing" | "withdrawal.held" | "withdrawal.released" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.cancelled" | "trusted_card.created" | "trusted_card.verified" | "trusted_card.deleted" | "webhook.test" | "webhook.failing" | "webhook.disabled" | "*")[];
                    /**
                     * @description Only what the endpoint has not acknowledged: failed, cancelled, waiting or never sent.
                     * @default false
                     */
                    only_failed?: boolean;
                    /** @description Of those that happened at `since`, only what has a higher `sequence`. */
                    after?: number;
                };
            };
        };
        responses: {
            /** @description What was found is due now */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "Accepted";
                        data: {
                            /** @description How many will be sent. */
                            queued: number;
                            is_complete: boolean;
                            next: {
                                /** Format: date-time */
                                since: string;
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
                /** @description Send the same key again to get the first answer again instead of a second effect. */
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
                     * @description The full page, or the one made for a frame.
                     * @example 3co_simple
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
                    total: number;
                    /**
                     * Format: email
                     * @description The customer's. Not the merchant's own.
                     * @example customer@example.com
                     */
                    email: string;
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
                     * @description The customer's, in E.164 form.
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
                };
            };
        };
        responses: {
            /** @description The page is open */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of the page to pay at; on failure, of the merchant's page. */
                        url: string;
                        message: string;
                        transaction_id: string;
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
    "get-plugins-get-states": {
        parameters: {
            query: {
                country_code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names by ISO 3166-2 code; none for a country without any */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
                country_code?: "BB" | "GD" | "GY" | "JM" | "TT";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Currency codes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names of environments */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Names by code */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
                environment?: "live" | "sandbox";
                page?: number;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                            environment: "live" | "sandbox";
                            card_type: "visa" | "mastercard";
                            /** @example ************1111 */
                            pan: string;
                            exp_month: number;
                            /** @example 2029 */
                            exp_year: number;
                            /** @description As the customer wrote it. */
                            name: string;
                            verified: boolean;
                            /** Format: date-time */
                            verify_expires_at: string;
                            /** Format: date-time */
                            created_at: string;
                        }[];
                        meta: {
                            page: number;
                            page_size: number;
                            total: number;
                            last_page: number;
                        };
                        links: {
                            first: string;
                            prev: string | null;
                            next: string | null;
                            last: string;
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
    "post-trusted-cards": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Absent: that of the API key, or live.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        /** @description Of the page, for the customer's browser. */
                        url: string;
                        transaction_id: string;
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
    "get-trusted-cards-uuid": {
        parameters: {
            query?: {
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The card */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                            environment: "live" | "sandbox";
                            card_type: "visa" | "mastercard";
                            /** @example ************1111 */
                            pan: string;
                            exp_month: number;
                            /** @example 2029 */
                            exp_year: number;
                            /** @description As the customer wrote it. */
                            name: string;
                            verified: boolean;
                            /** Format: date-time */
                            verify_expires_at: string;
                            /** Format: date-time */
                            created_at: string;
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
    "delete-trusted-cards-uuid": {
        parameters: {
            query?: {
                environment?: "live" | "sandbox";
            };
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                /** @description Send the same key again to get the first answer again instead of a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Absent: as far as the credential reaches.
                     * @example sandbox
                     * @enum {string}
                     */
                    environment?: "live" | "sandbox";
                    /**
                     * @description In US dollars.
                     * @example 0.73
                     */
                    amount: number;
                };
            };
        };
        responses: {
            /** @description The card may be charged */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        data: {
                            /** Format: uuid */
                            uuid: string;
                            environment: "live" | "sandbox";
                            card_type: "visa" | "mastercard";
                            /** @example ************1111 */
                            pan: string;
                            exp_month: number;
                            /** @example 2029 */
                            exp_year: number;
                            /** @description As the customer wrote it. */
                            name: string;
                            verified: boolean;
                            /** Format: date-time */
                            verify_expires_at: string;
                            /** Format: date-time */
                            created_at: string;
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
    "post-trusted-cards-uuid-charge": {
        parameters: {
            query?: never;
            header?: {
                /** @description Send the same key again to get the first answer again instead of a second effect. */
                "Idempotency-Key"?: string;
            };
            path: {
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
                    total: number;
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
                     * @description The customer's. Not the merchant's own.
                     * @example customer@example.com
                     */
                    email?: string;
                    /**
                     * @description Absent: as far as the credential reaches.
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        message: "OK";
                        /** @description Of the page, for the customer's browser. */
                        url: string;
                        transaction_id: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
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
    "get-openapi-json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
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
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
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
}
