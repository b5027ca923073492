/** As a connection that breaks: whether the order arrived, the error does not say. */
export class ConnectionLost extends Error {}
