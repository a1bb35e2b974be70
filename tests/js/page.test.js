import assert from "node:assert/strict";
import { afterEach, describe, it, mock } from "node:test";

import { fetchReason } from "../../src/ludotheque/web/static/web/page.js";

/** @param {Response | Error} reply */
function answer(reply) {
  return mock.method(globalThis, "fetch", async () => {
    if (reply instanceof Error) throw reply;
    return reply;
  });
}

const ask = () => fetchReason("/t/x/why?seat=0", ["piece-x"], ["cell-a1", "cell-b1"]);

afterEach(() => mock.restoreAll());

describe("the reason of a refused click", () => {
  it("is asked for with what is in hand and what was touched", async () => {
    const fetched = answer(Response.json({ say: "No room.", id: "cell-a1" }));
    assert.deepEqual(await ask(), { say: "No room.", id: "cell-a1" });
    assert.deepEqual(fetched.mock.calls[0].arguments, [
      "/t/x/why?seat=0&pick=piece-x&touched=cell-a1&touched=cell-b1",
    ]);
  });

  it("is null if there is nothing to say", async () => {
    answer(new Response(null, { status: 204 }));
    assert.equal(await ask(), null);
  });

  for (const status of [429, 503])
    it(`is no such thing, but an error, if the site answers ${status}`, async () => {
      answer(new Response("", { status }));
      await assert.rejects(ask, { message: `no reason: ${status}` });
    });

  it("is an error without a connection", async () => {
    answer(new TypeError("network"));
    await assert.rejects(ask, TypeError);
  });
});
