//! The one server of this process.

use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use memoryd::{Config, EmbedWhen, StoreKind};

/// The tests take half a minute.
const LONGEST_RUN: Duration = Duration::from_secs(3_600);

/// Its URL. Asked for the first time, the server is started, on a free port and an empty folder,
/// on threads of its own: the tests' runtimes come and go.
pub(crate) static URL: LazyLock<String> = LazyLock::new(|| match start() {
    Ok(address) => format!("http://{address}"),
    // The client refuses it, and thus each test tells why.
    Err(error) => format!("no server: {error}"),
});

fn start() -> Result<SocketAddr, Box<dyn Error>> {
    let data_dir = empty_folder()?;
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    std::thread::spawn(move || {
        runtime.block_on(async {
            // Inline, so that it is the same whether a search comes before or after the vectors.
            let embed = EmbedWhen::Inline;
            let config = Config { data_dir, store: StoreKind::Sled, embed, ..Config::default() };
            let listener = tokio::net::TcpListener::from_std(listener);
            let Ok(listener) = listener else { return };
            // It ends with the process. If it fails, so do the tests, and this tells why.
            if let Err(error) = memoryd::run(config, listener, std::future::pending()).await {
                eprintln!("the server failed: {error}");
            }
        });
    });
    Ok(address)
}

/// A folder of this process in the build's output. Those of earlier runs go first.
fn empty_folder() -> Result<PathBuf, Box<dyn Error>> {
    let parent = PathBuf::from(env!("OUT_DIR")).join("data");
    std::fs::create_dir_all(&parent)?;
    for earlier in std::fs::read_dir(&parent)? {
        let earlier = earlier?;
        // A run of another process may be under way.
        if earlier.metadata()?.modified()?.elapsed().unwrap_or_default() > LONGEST_RUN {
            std::fs::remove_dir_all(earlier.path())?;
        }
    }
    let folder = parent.join(std::process::id().to_string());
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir(&folder)?;
    Ok(folder)
}
