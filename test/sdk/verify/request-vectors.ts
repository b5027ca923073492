/**
 * Payment requests with the signatures that they must have, under `sandbox-signing-secret`. Fixed:
 * they were computed by Python's own modules and never by the code that is tested with them. The
 * same ones stand in docs/verify.md.
 */

export const VECTOR_SECRET = "sandbox-signing-secret";

export interface RequestVector {
  readonly about: string;
  readonly type: "form" | "json";
  /** Without the signature. */
  readonly body: string;
  readonly text: string;
  readonly signature: string;
}

export const REQUEST_VECTORS: readonly RequestVector[] = [
  {
    about: "a form with spaces, + and &, and letters beyond ASCII",
    type: "form",
    body:
      "order_id=order-1&total=100.00&data=a%2Bb%20%26%20c%3Dd&" +
      "name=Zo%C3%AB+O'Neil+%F0%9F%98%80",
    text: "data=a%2Bb+%26+c%3Dd&name=Zo%C3%AB+O%27Neil+%F0%9F%98%80&order_id=order-1&total=100.00",
    signature: "bfb5dc8cd463ab718492bdb549d7dd1d98651f32c328db12ff32224149af56c5",
  },
  {
    about: "JSON with a number and a boolean",
    type: "json",
    body: '{"order_id":"order-2","total":100.5,"avs":false,"account_number":1234567890}',
    text: "account_number=1234567890&avs=false&order_id=order-2&total=100.5",
    signature: "34fb87998e76b68c646a6a5842a9579c447ff498a95de1aedfa34141aecbecd8",
  },
  {
    about: "fields that are empty",
    type: "form",
    body: "order_id=order-3&total=100.00&version=&data",
    text: "data=&order_id=order-3&total=100.00&version=",
    signature: "fb489d7a8c381f054dd9802ea85aafd04b6a3b5384df2458bd28a7c603680a44",
  },
  {
    about: "fields that the interface does not know, capital letters, and a list as JSON text",
    type: "json",
    body:
      '{"shop_field":"~*-._ not ours","order_id":"order-4","total":"100.00",' +
      '"Basket":"[{\\"sku\\":7}]"}',
    text:
      "Basket=%5B%7B%22sku%22%3A7%7D%5D&order_id=order-4&" +
      "shop_field=%7E*-._+not+ours&total=100.00",
    signature: "ce416afe77b40c3f8b8ce335b57c48731bc93dbf2739af5bbb2ce34185236500",
  },
  {
    about: "null, and a number that loses its decimals",
    type: "json",
    body: '{"order_id":"order-5","note":null,"total":100.00}',
    text: "note=&order_id=order-5&total=100",
    signature: "a237f0e025ef8f6184b68fd216b1438a247af11a38ac71909dd8a8b3971bf680",
  },
];
