"""Measures the work of the page with ten thousand actions. It prints figures, and checks none of them.

usage: speed.py [ACTIONS]
"""

import sys

import browser, fake
from inspectorpage import InspectorPage

# Runs a function in each of a number of frames, and returns the time of the work of each frame in
# milliseconds.
FRAMES = """
  const done = arguments[arguments.length - 1];
  const [count, body] = arguments;
  const act = new Function("frame", "count", body);
  const spent = [];
  let frame = 0;
  const step = () => {
    const start = performance.now();
    act(frame, count);
    // Callbacks that were requested in this frame run after this one, followed by layout. The message
    // arrives after both.
    requestAnimationFrame(() => {});
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      spent.push(performance.now() - start);
      frame += 1;
      if (frame < count) requestAnimationFrame(step);
      else done(spent);
    };
    channel.port2.postMessage(null);
  };
  requestAnimationFrame(step);"""


def metrics(page):
    page.driver.execute_cdp_cmd("Performance.enable", {})
    found = page.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
    return {metric["name"]: metric["value"] for metric in found}


def frames(page, count, body):
    return sorted(page.driver.execute_async_script(FRAMES, count, body))


def tell(what, spent):
    middle, late = spent[len(spent) // 2], spent[int(len(spent) * 0.95)]
    print(f"{what:44}{middle:8.1f} ms a frame; 95th percentile {late:5.1f}; at most {spent[-1]:5.1f}")


def work(what, before, after, count):
    parts = ("ScriptDuration", "RecalcStyleDuration", "LayoutDuration", "TaskDuration")
    script, style, layout, task = (1000 * (after[part] - before[part]) / count for part in parts)
    print(f"{what:44}script {script:.2f}, style {style:.2f}, layout {layout:.2f}, all {task:.2f} ms")


def main(count):
    driver = browser.start()
    try:
        with fake.Program() as program:
            page = InspectorPage(driver, program.address)
            page.wait_for_text("#connection-text", "Connected")
            program.asked("watch")
            before = metrics(page)
            program.add(count)
            page.wait_for_text("#count", f"{count:,} actions")
            work(f"{count:,} new actions, for each batch of 500", before, metrics(page), count / 500)

            before = metrics(page)
            for _ in range(100):
                program.add(20)
            page.wait_for_text("#count", f"{count + 2000:,} actions")
            work("100 batches of 20 actions, for each batch", before, metrics(page), 100)

            scroll = (
                "const rows = document.getElementById('rows');"
                "rows.scrollTop = rows.scrollHeight * frame / count;"
            )
            tell("scrolling from top to bottom in 300 frames", frames(page, 300, scroll))
            tell(
                "scrolling by one row in each frame",
                frames(page, 300, "document.getElementById('rows').scrollTop -= 25;"),
            )
            page.press("G")
            press = (
                "document.getElementById('rows').dispatchEvent(new KeyboardEvent('keydown', "
                "{ key: 'k', bubbles: true }));"
            )
            tell("moving the selection in each frame", frames(page, 100, press))
            search = (
                "const field = document.getElementById('search'); field.value = 'film ' + frame; "
                "field.dispatchEvent(new Event('input'));"
            )
            tell("a new search in each frame", frames(page, 50, search))
            print(
                f"rows on the page: {len(page.all('#rows .row'))}, "
                f"heap: {metrics(page)['JSHeapUsedSize'] / 1e6:.1f} MB"
            )
    finally:
        driver.quit()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
