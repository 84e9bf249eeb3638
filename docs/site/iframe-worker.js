// Search without a server: browsers start no worker from a file, so that its script runs in a hidden frame.
// The theme looks for a class of this name (as of the package iframe-worker), and would fetch it from the web.
class IFrameWorker extends EventTarget {
  constructor(url) {
    super();
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    document.body.append(this.frame);
    const inside = this.frame.contentWindow;
    this.loaded = new Promise((done) => {
      const page = inside.document;
      page.open();
      page.write("<!doctype html><body></body>");
      page.close();
      // What the script calls to answer.
      inside.postMessage = (data) => this.answer(data);
      const script = page.createElement("script");
      script.src = url;
      script.onload = done;
      page.body.append(script);
    });
  }

  answer(data) {
    const event = new MessageEvent("message", { data });
    this.dispatchEvent(event);
    if (this.onmessage) this.onmessage(event);
  }

  postMessage(data) {
    const inside = this.frame.contentWindow;
    this.loaded.then(() => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
  }

  terminate() {
    this.frame.remove();
  }
}

if (location.protocol === "file:") {
  window.IFrameWorker = IFrameWorker;
  window.Worker = IFrameWorker;
}
