//! The fixture server, spoken to over plain sockets: what it answers, when, and how it breaks.

use std::time::{Duration, Instant};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use webhand_proof::{Route, Server, Site, site::Host};

async fn ask(origin: &str, request: &str) -> std::io::Result<String> {
    let authority = origin.trim_start_matches("http://").replace("localhost", "127.0.0.1");
    let mut socket = TcpStream::connect(&authority).await?;
    socket.write_all(format!("{request}\r\nhost: {authority}\r\nconnection: close\r\n\r\n").as_bytes()).await?;
    let mut answer = Vec::new();
    // A broken connection is an answer too: what came before it counts.
    let _ = socket.read_to_end(&mut answer).await;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

#[tokio::test]
async fn pages_routes_and_origins() {
    let site = Site::new()
        .page("/", "<p>at {{url}} not {{own}}</p>")
        .origin("other", Host::Localhost)
        .route(Route { times: Some(1), status: Some(503), ..Route::at("/flaky") })
        .route(Route { body: Some("fine".into()), ..Route::at("/flaky") })
        .route(Route { redirect: Some("{{url other}}/there".into()), ..Route::at("/go") })
        .route(Route { origin: Some("other".into()), body: Some("there".into()), ..Route::at("/there") });
    let server = Server::start(site).await.unwrap();
    let main = server.url("");
    let other = server.origin("other").unwrap().to_owned();

    let page = ask(&main, "GET / HTTP/1.1").await.unwrap();
    assert!(page.contains(&format!("at {main} not {{{{own}}}}")), "{page}");
    assert!(page.contains("text/html"), "{page}");
    assert!(ask(&main, "GET /flaky HTTP/1.1").await.unwrap().starts_with("HTTP/1.1 503"));
    assert!(ask(&main, "GET /flaky HTTP/1.1").await.unwrap().ends_with("fine"));
    let moved = ask(&main, "GET /go?x=1 HTTP/1.1").await.unwrap();
    assert!(moved.starts_with("HTTP/1.1 302") && moved.contains(&format!("location: {other}/there")), "{moved}");
    assert!(ask(&main, "GET /there HTTP/1.1").await.unwrap().starts_with("HTTP/1.1 404"));
    assert!(ask(&other, "GET /there HTTP/1.1").await.unwrap().ends_with("there"));
    let seen = server.requests();
    assert_eq!(seen.len(), 6);
    assert_eq!((seen[3].path.as_str(), seen[3].query.as_str(), seen[5].origin.as_str()), ("/go", "x=1", "other"));
}

#[tokio::test]
async fn delays_cuts_silence_and_refusal_are_the_servers() {
    let server = Server::start(
        Site::new()
            .route(Route { delay_ms: 150, ..Route::at("/slow") })
            .route(Route { body: Some("0123456789".into()), cut_after: Some(4), ..Route::at("/cut") })
            .route(Route { never: true, ..Route::at("/never") }),
    )
    .await
    .unwrap();
    let main = server.url("");
    let begun = Instant::now();
    assert!(ask(&main, "GET /slow HTTP/1.1").await.unwrap().starts_with("HTTP/1.1 200"));
    assert!(begun.elapsed() >= Duration::from_millis(150));
    let cut = ask(&main, "GET /cut HTTP/1.1").await.unwrap();
    assert!(cut.contains("0123") && !cut.contains("4567"), "{cut}");
    let held = tokio::time::timeout(Duration::from_millis(200), ask(&main, "GET /never HTTP/1.1")).await;
    assert!(held.is_err(), "it answered: {held:?}");
    let refused = server.refused().to_owned();
    assert!(ask(&refused, "GET / HTTP/1.1").await.is_err());
    drop(server);
}

#[tokio::test]
async fn a_folder_is_served_and_nothing_outside_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("in")).unwrap();
    std::fs::write(folder.path().join("in/a.html"), "<p>{{url}}</p>").unwrap();
    std::fs::write(folder.path().join("secret.txt"), "secret").unwrap();
    let server = Server::serve_dir(folder.path().join("in")).await.unwrap();
    let main = server.url("");
    assert!(ask(&main, "GET /a.html HTTP/1.1").await.unwrap().contains(&main));
    for path in ["/../secret.txt", "/%2e%2e/secret.txt", "/", "/missing"] {
        let answer = ask(&main, &format!("GET {path} HTTP/1.1")).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 4") && !answer.contains("secret\n"), "{path}: {answer}");
    }
}
